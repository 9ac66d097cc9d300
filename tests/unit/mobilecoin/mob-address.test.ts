import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { base58 } from "@scure/base";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  encodeMobAddress,
  encodePaymentRequest,
  parseMobAddress,
  requireKnownFog,
} from "~/exchange.server/addresses/mob-address";
import { ExchangeError } from "~/exchange.server/errors";

type Valid = { b58: string; view: string; spend: string; fog_report_url?: string; fog_report_id?: string };
type Vectors = {
  valid_without_fog: Valid[];
  valid_with_fog: (Valid & { fog_authority_sig: string })[];
  valid_other: Valid[];
  invalid: { b58: string; why: string }[];
  policy: { b58: string; why: string }[];
  shape_only: { b58: string; fog_report_url: string }[];
};
const vectors: Vectors = JSON.parse(readFileSync("tests/vectors/mobilecoin-addresses.json", "utf8"));
const [plain] = vectors.valid_without_fog;
const hex = (text: string) => Uint8Array.from(Buffer.from(text, "hex"));

function refusalOf(text: string): string {
  try {
    parseMobAddress(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ExchangeError);
    expect((error as ExchangeError).code).toBe("address_invalid");
    return (error as ExchangeError).message;
  }
  throw new Error("it was accepted");
}

describe("K02 T49 parsing a MobileCoin address", () => {
  const valid = [...vectors.valid_without_fog, ...vectors.valid_with_fog, ...vectors.valid_other];
  // One vector, from full-service's documentation, does not include its keys.
  const withKeys = valid.filter((vector) => vector.view !== undefined);
  it.each(valid)("accepts $b58", (vector) => {
    expect(parseMobAddress(vector.b58)).toEqual({
      address: vector.b58,
      canonical: vector.view ? vector.view + vector.spend : expect.stringMatching(/^[0-9a-f]{128}$/),
      fogReportUrl: vector.fog_report_url ?? "",
    });
  });

  it.each(vectors.shape_only)("accepts an address as Signal formats it ($fog_report_url)", (vector) => {
    expect(parseMobAddress(vector.b58).fogReportUrl).toBe(vector.fog_report_url);
  });

  it.each(withKeys)("encodes the parts of $b58 to the same address", (vector) => {
    const parts = { viewPublicKey: hex(vector.view), spendPublicKey: hex(vector.spend) };
    const sig = (vector as { fog_authority_sig?: string }).fog_authority_sig;
    expect(
      encodeMobAddress({
        ...parts,
        fogReportUrl: vector.fog_report_url,
        fogReportId: vector.fog_report_id,
        fogAuthoritySig: sig ? hex(sig) : undefined,
      }),
    ).toBe(vector.b58);
  });

  it.each(["mob:///b58/", "mob://example.org/b58/", "mob://example.org:443/b58/", "  ", "MOB:///b58/"])(
    "finds the address in '%s…'",
    (prefix) => expect(parseMobAddress(`${prefix}${plain?.b58} `).address).toBe(plain?.b58),
  );

  it("gives an address with and without Fog the same canonical form", () => {
    const [fog] = vectors.valid_with_fog;
    expect(parseMobAddress(fog!.b58).canonical).toBe(parseMobAddress(plain!.b58).canonical);
  });
});

describe("T19 the Fog server of an address", () => {
  const known = ["fog://fog.example", "fog://other.example:8443"];
  const check = (fogReportUrl: string, servers: readonly string[] | null = known) => {
    const keys = { viewPublicKey: hex(plain!.view), spendPublicKey: hex(plain!.spend) };
    requireKnownFog(parseMobAddress(encodeMobAddress({ ...keys, fogReportUrl })), servers);
  };

  it.each(["", "fog://fog.example", "fog://fog.example:443", "fog://other.example:8443"])("may be '%s'", (url) => {
    expect(() => check(url)).not.toThrow();
  });

  it.each([
    "fog://attacker.example",
    "fog://fog.example:8443",
    "fog://other.example",
    "insecure-fog://fog.example",
    "insecure-fog://fog.example:443",
    "https://fog.example",
    "fog://fog.example/",
    "fog://fog.example/path",
    "fog://fog.example?a",
    "fog://fog.example#a",
    "fog://user@fog.example",
    "fog://fog.example@attacker.example",
    "fog://fog.example.attacker.example",
    "fog://FOG.example",
    " fog://fog.example",
    "fog://fog.example\t",
    "FOG://fog.example",
    "x",
  ])("must not be '%s'", (url) => {
    expect(() => check(url)).toThrowError(
      "We can't pay addresses with this wallet's Fog server. Use an address from Signal, or one without Fog.",
    );
    expect(() => check(url, null)).not.toThrow();
    expect(() => check(url, [])).toThrowError(ExchangeError);
  });
});

describe("a payment request", () => {
  it.each([...vectors.valid_without_fog, ...vectors.valid_with_fog])("asks for pico-MOB to $b58", ({ b58 }) => {
    const text = encodePaymentRequest(b58, 1_234_567_890_123_456_789n);
    const bytes = Buffer.from(base58.decode(text));
    expect(bytes.readUInt32LE(0)).toBe(crc32(bytes.subarray(4)));
    // printable.proto: PrintableWrapper { payment_request = 2 { public_address = 1, value = 2 } }
    const wrapper = new BinaryReader(bytes.subarray(4));
    expect(wrapper.tag()[0]).toBe(2);
    const request = new BinaryReader(wrapper.bytes());
    expect(request.tag()[0]).toBe(1);
    const address = Buffer.from(base58.decode(b58)).subarray(4);
    const publicAddress = Buffer.from(request.bytes());
    expect(address.subarray(address.length - publicAddress.length)).toEqual(publicAddress);
    expect(request.tag()[0]).toBe(2);
    expect(BigInt(request.uint64())).toBe(1_234_567_890_123_456_789n);
    expect(request.pos).toBe(request.len);
    expect(refusalOf(text)).toMatch(/payment request/);
  });
});

describe("T49 text that is not an address", () => {
  it.each([...vectors.invalid, ...vectors.policy])("is rejected without repeating it: $why", (vector) => {
    const message = refusalOf(vector.b58);
    expect(message).not.toContain(vector.b58.slice(0, 12));
    if (vector.why.includes("transfer_payload") || vector.why.includes("gift_code")) {
      expect(message).toMatch(/gift code/);
    }
  });

  it("is rejected if it is a payment request", () => {
    // The request wraps the address in field 2 of the wrapper instead of field 1.
    const message = refusalOf("mob:///b58/").concat(refusalOf(paymentRequest()));
    expect(message).toMatch(/Enter a MobileCoin address.*payment request/);
  });

  it.each([
    ["mob:///bad/X", /contain a MobileCoin address/],
    ["mob://b58/X", /contain a MobileCoin address/],
    ["0x52908400098527886E0F7030069857D2E4169EE7", /Ethereum address/],
    ["", /Enter/],
    ["1111", /too short/],
    ["О0Il", /character/],
    ["3CnfxAc0", /“0”\. MobileCoin addresses have no 0, O, I or l/],
    ["3CnfxAc2LvKw4FDNRVgizb7ndKWUWujZk8V7TmqNmyrJVCV9", /at least 106 characters, this has 48/],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", /a Bitcoin address/],
    ["1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2", /a Bitcoin address/],
    ["TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", /a Tron address/],
    ["ethereum:0x52908400098527886E0F7030069857D2E4169EE7@1", /an Ethereum address/],
    [
      "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A",
      /a Monero address/,
    ],
    ["7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtVA", /a Solana address/],
    ["z".repeat(601), /too long/],
  ])("is rejected with the reason: %s", (text, message) => expect(refusalOf(text)).toMatch(message));

  it("is rejected with its length if it is an address whose end is missing", () => {
    expect(refusalOf(plain!.b58.slice(0, 100))).toMatch(/this has 100/);
    expect(refusalOf(plain!.b58.slice(0, -1))).toMatch(/checksum|too short/);
  });

  it("is rejected if it is an address with one character changed, whichever it is (T49)", () => {
    const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    fc.assert(
      fc.property(fc.nat({ max: plain!.b58.length - 1 }), fc.nat({ max: 57 }), (at, letter) => {
        const changed = plain!.b58.slice(0, at) + alphabet[letter] + plain!.b58.slice(at + 1);
        if (changed !== plain!.b58) refusalOf(changed);
      }),
      { numRuns: 200 },
    );
  });

  it("is rejected with this kind of error only, whatever the text is", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 700 }), fc.base64String({ maxLength: 300 })), (text) => {
        refusalOf(text);
      }),
      { numRuns: 300 },
    );
  });

  it("is rejected even if its checksum is correct, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 120 }), (body) => {
        refusalOf(wrap(body));
      }),
      { numRuns: 300 },
    );
  });

  it("T17 is rejected before it costs time if it has 50 kB", () => {
    // The best of five runs ignores a busy machine.
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      refusalOf(`mob://${"/".repeat(50_000)}`);
      refusalOf("z".repeat(50_000));
      refusalOf("z".repeat(600));
      return performance.now() - startedAt;
    });
    expect(Math.min(...times)).toBeLessThan(50);
  });
});

function wrap(body: Uint8Array): string {
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, crc32(body), true);
  bytes.set(body, 4);
  return base58.encode(bytes);
}

function paymentRequest(): string {
  const address = base58.decode(plain!.b58).subarray(4 + 2);
  return wrap(Uint8Array.from([(2 << 3) | 2, address.length + 2, (1 << 3) | 2, address.length, ...address]));
}
