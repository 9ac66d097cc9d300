import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readScannedCode } from "~/components/scan/read-code";
import { encodePaymentRequest } from "~/exchange.server/addresses/mob-address";

type Vectors = {
  valid_without_fog: { b58: string }[];
  valid_with_fog: { b58: string }[];
  invalid: { b58: string; why: string }[];
};
const vectors: Vectors = JSON.parse(readFileSync("tests/vectors/mobilecoin-addresses.json", "utf8"));
const mob = vectors.valid_without_fog[0]?.b58 ?? "";
const fog = vectors.valid_with_fog[0]?.b58 ?? "";
const eth = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

describe("a scanned code", () => {
  it.each([eth, ` ${eth}\n`, `ethereum:${eth}`, `ETHEREUM:${eth}@1`, `ethereum:pay-${eth}@11155111?value=1e18`])(
    "is an Ethereum address: %s",
    (code) => {
      expect(readScannedCode(code, "ETH")).toEqual({ address: eth });
      expect(readScannedCode(code, null)).toEqual({ address: eth });
      expect(readScannedCode(code, "MOB")).toEqual({ problem: expect.stringContaining("Ethereum address") });
    },
  );

  it.each([eth.toUpperCase(), `ETHEREUM:${eth.toUpperCase()}@1`])(
    "is an Ethereum address in lower case if all letters are capitals: %s",
    (code) => {
      expect(readScannedCode(code, "ETH")).toEqual({ address: eth.toLowerCase() });
    },
  );

  it("T79 for a token payment is read as the receiver's address, never the token's", () => {
    const link = `ethereum:${token}@1/transfer?address=${eth}&uint256=25500000`;
    expect(readScannedCode(link, "ETH")).toEqual({ address: eth });
    expect(readScannedCode(`ethereum:${token}@1/transfer?uint256=1`, "ETH")).toHaveProperty("problem");
    expect(readScannedCode(`ethereum:${token}@1/approve?address=${eth}&uint256=1`, "ETH")).toHaveProperty("problem");
  });

  it("is refused with a message that names the network if it is for another network", () => {
    expect(readScannedCode(`ethereum:${eth}@137`, "ETH")).toEqual({ problem: expect.stringContaining("chain 137") });
  });

  it.each([mob, fog, `mob:///b58/${mob}`, `mob://example.org/b58/${fog}`, `MOB://example.org:443/b58/${mob}`])(
    "is a MobileCoin address: %s",
    (code) => {
      const address = code.slice(code.lastIndexOf("/") + 1);
      expect(readScannedCode(code, "MOB")).toEqual({ address });
      expect(readScannedCode(code, null)).toEqual({ address });
      expect(readScannedCode(code, "ETH")).toEqual({ problem: expect.stringContaining("MobileCoin address") });
    },
  );

  it("is refused with a message that explains why if it is MobileCoin's and has no plain address", () => {
    const request = `mob:///b58/${encodePaymentRequest(mob, 1n)}`;
    expect(readScannedCode(request, "MOB")).toEqual({ problem: expect.stringContaining("payment request") });
    expect(readScannedCode("mob://b58/x", "MOB")).toEqual({ problem: "This code has no MobileCoin address." });
  });

  it.each(["MOB", "ETH", null] as const)("T79 never fills in a gift code, which is a secret (%s)", (type) => {
    const gifts = vectors.invalid.filter(({ why }) => /gift_code|transfer_payload/.test(why));
    expect(gifts.length).toBeGreaterThan(0);
    for (const { b58 } of gifts) {
      expect(readScannedCode(b58, type)).toEqual({ problem: expect.stringContaining("gift code") });
    }
  });

  it.each(["", "https://example.org", "WIFI:S:home;;", "0x1234", `ethereum:${token}/transfer`, "javascript:alert(1)"])(
    "is refused without an address: %s",
    (code) => {
      for (const type of ["MOB", "ETH", null] as const) expect(readScannedCode(code, type)).toHaveProperty("problem");
    },
  );
});
