import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type CborValue, encodeCbor } from "~/browser/test-passkey/cbor";
import { checkCredentialId, checkPublicKey, checkSameOrigin } from "~/exchange.server/accounts/passkey-checks";

type Key = [number | string, CborValue][];

const bytes = (base64url: string | undefined) => Buffer.from(base64url ?? "", "base64url");
const encode = (key: Key) => encodeCbor(new Map<number | string, CborValue>(key));
const change = (key: Key, name: number, value: CborValue): Key => key.map(([k, v]) => [k, k === name ? value : v]);

function makeEc(): Key {
  const { x, y } = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ format: "jwk" });
  return [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ];
}

function makeEd(): Key {
  const { x } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
  return [
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, bytes(x)],
  ];
}

function makeRsa(modulusLength: number, publicExponent = 65_537): Key {
  const { n, e } = generateKeyPairSync("rsa", { modulusLength, publicExponent }).publicKey.export({ format: "jwk" });
  return [
    [1, 3],
    [3, -257],
    [-1, bytes(n)],
    [-2, bytes(e)],
  ];
}

/** The Ed25519 points of order 1, 2, 4 and 8, and one of them in an encoding that is not canonical. */
const smallOrder = [
  `01${"00".repeat(31)}`,
  `ec${"ff".repeat(30)}7f`,
  "00".repeat(32),
  `${"00".repeat(31)}80`,
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  `ee${"ff".repeat(30)}7f`,
];

const otherMembers = /missing or unexpected parameters/;
/** The reason for refusing a key of one type with the algorithm of another, which has other parameters or not. */
const otherType = /missing or unexpected parameters|key must be/;

describe("the public key of a new passkey", () => {
  let [ec, ed, rsa]: [Key, Key, Key] = [[], [], []];
  beforeAll(() => {
    [ec, ed, rsa] = [makeEc(), makeEd(), makeRsa(2_048)];
  });

  it("T29 is accepted if it is a P-256, an Ed25519 or an RSA key of 2048 bits or more", () => {
    for (const key of [ec, ed, rsa, makeRsa(3_072)]) expect(() => checkPublicKey(encode(key))).not.toThrow();
    for (let i = 0; i < 5; i += 1) {
      checkPublicKey(encode(makeEc()));
      checkPublicKey(encode(makeEd()));
    }
  });

  it("T29 is refused if its point is not on the curve", () => {
    const y = Buffer.from(ec[4]?.[1] as Uint8Array);
    y[31] = (y[31] ?? 0) ^ 1;
    expect(() => checkPublicKey(encode(change(ec, -3, y)))).toThrow(/bad point/);
    expect(() => checkPublicKey(encode(change(ec, -3, Buffer.alloc(32))))).toThrow(/bad point/);
    const zero = change(change(ec, -2, Buffer.alloc(32)), -3, Buffer.alloc(32));
    expect(() => checkPublicKey(encode(zero))).toThrow(/bad point/);
    const field = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
    expect(() => checkPublicKey(encode(change(ec, -2, Buffer.from(field, "hex"))))).toThrow(/invalid field element/);
    expect(() => checkPublicKey(encode(change(ed, -2, Buffer.alloc(32, 2))))).toThrow(/bad point/);
  });

  it("T29 is refused if its type does not match its algorithm, in every combination", () => {
    const keys = [ec, ed, rsa];
    const algorithms = keys.map((key) => key[1]?.[1] as number);
    for (const [i, key] of keys.entries()) {
      for (const [j, algorithm] of [...algorithms, -35, -36, -37, -65_535, -47, 0].entries()) {
        const mixed = () => checkPublicKey(encode(change(key, 3, algorithm)));
        const reason = j < keys.length ? otherType : /algorithm is not allowed/;
        if (i === j) expect(mixed).not.toThrow();
        else expect(mixed, `${i} with ${algorithm}`).toThrow(reason);
      }
      for (const kty of [1, 2, 3, 4].filter((type) => type !== key[0]?.[1])) {
        expect(() => checkPublicKey(encode(change(key, 1, kty)))).toThrow(/key must be/);
      }
    }
    expect(() => checkPublicKey(encode(change(ec, -1, 2)))).toThrow(/on the curve P-256/);
    expect(() => checkPublicKey(encode(change(ed, -1, 4)))).toThrow(/on the curve Ed25519/);
  });

  it("T29 is refused if it is an RSA key below 2048 bits, or one with an unusual exponent or modulus", () => {
    for (const bits of [512, 1_024, 2_040]) expect(() => checkPublicKey(encode(makeRsa(bits)))).toThrow(/bits/);
    const padded = Buffer.concat([Buffer.alloc(192), makeRsa(512)[2]?.[1] as Uint8Array]);
    expect(() => checkPublicKey(encode(change(rsa, -1, padded)))).toThrow(/bits/);
    expect(() => checkPublicKey(encode(change(rsa, -1, Buffer.alloc(1_024, 255))))).toThrow(/bits/);
    expect(() => checkPublicKey(encode(change(rsa, -1, Buffer.alloc(256, 254))))).toThrow(/even/);
    expect(() => checkPublicKey(encode(makeRsa(2_048, 3)))).toThrow(/exponent/);
    for (const e of ["01", "00010001", "", "010000"]) {
      expect(() => checkPublicKey(encode(change(rsa, -2, Buffer.from(e, "hex"))))).toThrow(/exponent/);
    }
  });

  it.each(smallOrder)("T29 is refused if it is the Ed25519 point of small order %s", (hex) => {
    expect(() => checkPublicKey(encode(change(ed, -2, Buffer.from(hex, "hex"))))).toThrow(
      /small order|expected valid point/,
    );
  });

  it("T29 is refused if parameters are missing, additional or of another form", () => {
    for (const key of [ec, ed, rsa]) {
      for (const [name] of key) {
        const without = () => checkPublicKey(encode(key.filter(([other]) => other !== name)));
        expect(without).toThrow(name === 3 ? /algorithm is not allowed/ : otherMembers);
        const reason = name === 3 ? /algorithm is not allowed/ : /key must be|unexpected form/;
        expect(() => checkPublicKey(encode(change(key, Number(name), "text")))).toThrow(reason);
      }
      expect(() => checkPublicKey(encode([...key, [2, Buffer.alloc(4)]]))).toThrow(otherMembers);
    }
    expect(() => checkPublicKey(encode(change(ec, -2, Buffer.alloc(31, 1))))).toThrow(/unexpected form/);
    for (const [garbage, reason] of [
      [Buffer.from([0]), /not a COSE key/],
      [encodeCbor("key"), /not a COSE key/],
      [Buffer.alloc(0), /No data/],
      [Buffer.from([0x9f]), /not well formed/],
    ] as const) {
      expect(() => checkPublicKey(garbage)).toThrow(reason);
    }
  });
});

describe("a credential id", () => {
  it("T29 has 16 to 1023 bytes", () => {
    for (const length of [16, 32, 64, 1_023]) {
      expect(() => checkCredentialId(Buffer.alloc(length, 7).toString("base64url"))).not.toThrow();
    }
    for (const length of [0, 15, 1_024, 2_000]) {
      expect(() => checkCredentialId(Buffer.alloc(length, 7).toString("base64url"))).toThrow(`has ${length} bytes`);
    }
    expect(() => checkCredentialId(`${Buffer.alloc(16, 255).toString("base64")}`)).toThrow(/base64url/);
  });
});

describe("the client data", () => {
  const toJson = (data: object) => Buffer.from(JSON.stringify({ type: "webauthn.get", ...data })).toString("base64url");

  it("T29 T8 is refused from a frame of another site", () => {
    for (const data of [{}, { crossOrigin: false }]) expect(() => checkSameOrigin(toJson(data))).not.toThrow();
    for (const data of [
      { crossOrigin: true },
      { crossOrigin: "true" },
      { crossOrigin: null },
      { topOrigin: "https://evil.example" },
      { crossOrigin: false, topOrigin: "https://evil.example" },
    ]) {
      expect(() => checkSameOrigin(toJson(data)), JSON.stringify(data)).toThrow(/in a frame of another site/);
    }
  });
});
