import { describe, expect, it } from "vitest";
import { parseEthAddress } from "~/exchange.server/addresses/eth-address";
import { ExchangeError } from "~/exchange.server/errors";
import vectors from "../../vectors/ethereum.json";

const forbidden = [vectors.usdt_mainnet];
const parse = (text: string) => parseEthAddress(text, { forbidden });

function refusal(text: string): string {
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ExchangeError);
    expect((error as ExchangeError).code).toBe("address_invalid");
    return (error as ExchangeError).message;
  }
  throw new Error(`${text} was accepted`);
}

describe("an Ethereum address", () => {
  it.each(vectors.eip55_valid)("is accepted if it is one of EIP-55's test vectors: %s", (address) => {
    expect(parse(address)).toEqual({ address, canonical: address.toLowerCase() });
  });

  it("is accepted in lower case, and gets its checksum", () => {
    const [, , , , mixed = ""] = vectors.eip55_valid;
    expect(parse(mixed.toLowerCase())).toEqual(parse(mixed));
  });

  it("may have spaces and line breaks around it", () => {
    expect(parse(`  ${vectors.eip55_valid[4]}\n`).address).toBe(vectors.eip55_valid[4]);
  });

  it("is rejected with a wrong checksum, even in upper case", () => {
    const [, , , , mixed = ""] = vectors.eip55_valid;
    expect(refusal(mixed.replace("5aAe", "5AAe"))).toContain("checksum");
    expect(refusal(`0x${mixed.slice(2).toUpperCase()}`)).toContain("checksum");
  });

  it.each([
    ["", "Enter an Ethereum address"],
    ["   ", "Enter an Ethereum address"],
    ["0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "lower-case x"],
    ["5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "starts with 0x"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", "this has 39"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd", "this has 41"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg", "character"],
    [`0x${"ab".repeat(32)}`, "private key"],
    ["vitalik.eth", "a name"],
    ["pay.someone.example", "a name"],
    [vectors.eip681, "payment link"],
    ["mob:///b58/abc", "MobileCoin"],
    ["3".repeat(90), "MobileCoin"],
    ["0x0000000000000000000000000000000000000000", "zero address"],
    [vectors.usdt_mainnet, "lost"],
    [vectors.usdt_mainnet.toLowerCase(), "lost"],
    [`0x${"a".repeat(100_000)}`, "too long"],
    [" ".repeat(1_000_000), "too long"],
    ["0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Be\u0410ed", "character"],
  ])("%#: is rejected with a message that names the problem", (text, message) => {
    expect(refusal(text)).toContain(message);
  });

  it("is never repeated in the error message, because it may be a secret", () => {
    expect(refusal(`0x${"cd".repeat(32)}`)).not.toContain("cdcd");
  });
});
