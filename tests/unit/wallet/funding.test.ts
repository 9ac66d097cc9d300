import { describe, expect, it } from "vitest";
import { parseTransferUri, toPartialTransferUri } from "~/wallet/funding";

const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const to = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const uri = `ethereum:${token}@1/transfer?address=${to}&uint256=25500000`;

describe("the link for a part of the amount", () => {
  it("names the same token, chain and address, and the part in exact base units", () => {
    const link = toPartialTransferUri(uri, "9.000001");
    expect(link).toBe(`ethereum:${token}@1/transfer?address=${to}&uint256=9000001`);
    expect(parseTransferUri(link ?? "")).toEqual(parseTransferUri(uri));
  });

  it.each(["", "ethereum:0x0@1/transfer", `ethereum:${to}@1?value=1`, `mob:///b58/${"a".repeat(106)}`])(
    "is none without a transfer to begin with (%s)",
    (other) => expect(toPartialTransferUri(other, "1")).toBeNull(),
  );
});
