import { generateKeyPairSync } from "node:crypto";
import { isoBase64URL, isoCBOR } from "@simplewebauthn/server/helpers";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCbor } from "~/browser/test-passkey/cbor";
import { accounts, passkeys } from "~/exchange.server/db/schema/accounts";
import { type Overrides, TestAuthenticator } from "../../support/authenticator";
import { createTestExchange, testOrigin } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { testDatabases } from "../../support/test-database";

/** An ES256 key as COSE. */
const ecKey = (x: Uint8Array, y: Uint8Array) =>
  new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, x],
    [-3, y],
  ]);

/** An Ed25519 key as COSE. */
const ed25519Key = (x: Uint8Array) =>
  new Map<number, number | Uint8Array>([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, x],
  ]);

describe.each(testDatabases)("passkeys, on %s", (database) => {
  const exchange = forAllTests(() => createTestExchange({ database }));

  const start = () => exchange.api("POST", "/api/auth", { body: { auth_method: "passkey" } });
  const finish = (challenge_id: string, auth_data: unknown) =>
    exchange.api("POST", "/api/auth", { body: { auth_method: "passkey", credentials: { challenge_id, auth_data } } });
  const signUp = () => exchange.signUp(undefined, { kyc: false });

  const overrides: [string, Overrides][] = [
    ["another origin", { origin: "http://localhost:3001" }],
    ["an origin that starts like ours", { origin: `${testOrigin}.evil.example` }],
    ["another relying party", { rpId: "evil.example" }],
    ["no user verification", { userVerified: false }],
    ["another challenge", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["another ceremony", { type: "webauthn.create" }],
    ["a request from a frame of another site", { clientData: { crossOrigin: true } }],
    [
      "a request from a frame of a named site",
      { clientData: { crossOrigin: true, topOrigin: "https://evil.example" } },
    ],
  ];

  it.each(["userHandle", "signature", "clientDataJSON", "authenticatorData"])(
    "T14 refuses a response whose %s is not a string, which could take seconds to read",
    async (member) => {
      const { authenticator } = await signUp();
      const { body } = await start();
      const { response, ...rest } = authenticator.get(body.challenge);
      const refused = await finish(body.challenge_id, {
        ...rest,
        response: { ...response, [member]: { length: 5e7 } },
      });
      expect(refused.status).toBe(422);
    },
  );

  it("T14 refuses a response with CBOR that takes long to read", async () => {
    const items = new Uint8Array(40_000).fill(0x60);
    const cbor = Buffer.concat([Uint8Array.of(0x99, items.length >> 8, items.length & 255), items]).toString(
      "base64url",
    );
    const identifier = "long@example.org";
    const { body } = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
    const { response, ...rest } = new TestAuthenticator(testOrigin).create(body.options);
    const attestation = { ...rest, response: { ...response, attestationObject: cbor } };
    const registration = { identifier, challenge_id: body.challenge_id, attestation };
    const refused = await exchange.api("POST", "/api/auth/passkey/register/verify", { body: registration });
    expect([refused.status, refused.body.detail.code]).toEqual([422, "invalid"]);
    const { authenticator } = await signUp();
    const started = (await start()).body;
    const signed = authenticator.get(started.challenge);
    const authenticatorData = `${signed.response.authenticatorData}${cbor}`;
    const signIn = await finish(started.challenge_id, {
      ...signed,
      response: { ...signed.response, authenticatorData },
    });
    expect([signIn.status, signIn.body.detail.code]).toEqual([422, "invalid"]);
  });

  const registerWith = async (email: string, transports: unknown) => {
    const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier: email } });
    const { response, ...rest } = new TestAuthenticator(testOrigin).create(began.body.options);
    const attestation = { ...rest, response: { ...response, transports } };
    const body = { identifier: email, challenge_id: began.body.challenge_id, attestation };
    return (await exchange.api("POST", "/api/auth/passkey/register/verify", { body })).status;
  };

  it("refuses a new passkey whose transports are not strings", async () => {
    for (const transports of ["internal", {}, 5, [{}], [5]]) {
      expect(await registerWith("transports@example.org", transports)).toBe(422);
    }
  });

  it("stores only well-formed transports of a new passkey", async () => {
    const odd = ["\ud800", "usb", `${"1".repeat(19)}😀`, "smart-card"];
    expect(await registerWith("odd-transports@example.org", odd)).toBe(200);
    const stored = await exchange.ctx.db
      .select({ transports: passkeys.transports })
      .from(passkeys)
      .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
      .where(eq(accounts.email, "odd-transports@example.org"));
    expect(stored).toEqual([{ transports: ["usb", "smart-card"] }]);
  });

  it.each(overrides)("T29 C06 refuses a response with %s", async (_name, lie) => {
    const { authenticator } = await signUp();
    const { body } = await start();
    const response = await finish(body.challenge_id, authenticator.get(body.challenge, lie));
    expect(response.status).toBe(401);
    expect(response.body.detail.code).toBe("passkey_invalid");
    const again = await finish(body.challenge_id, authenticator.get(body.challenge));
    expect(again.body.detail.code, "the challenge is consumed anyway (T28)").toBe("challenge_invalid");
  });

  it.each(overrides.filter(([, lie]) => lie.type === undefined))(
    "T29 C10 refuses a registration with %s and creates nothing",
    async (_name, lie) => {
      const identifier = `liar-${Math.random().toString(36).slice(2)}@example.org`;
      const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
      const attestation = new TestAuthenticator(testOrigin).create(began.body.options, lie);
      const body = { identifier, challenge_id: began.body.challenge_id, attestation };
      expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { body })).status).toBe(401);
      const retried = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
      expect(retried.status, "the identifier is still free").toBe(200);
    },
  );

  const rsa = generateKeyPairSync("rsa", { modulusLength: 512 }).publicKey.export({ format: "jwk" });
  const weak: [string, Overrides][] = [
    ["a point off the curve", { publicKey: ecKey(Buffer.alloc(32, 1), Buffer.alloc(32, 2)) }],
    [
      "a key type that does not match its algorithm",
      { publicKey: new Map([...ecKey(Buffer.alloc(32), Buffer.alloc(32)), [3, -257]]) },
    ],
    [
      "a 512-bit RSA key",
      {
        publicKey: new Map<number, number | Uint8Array>([
          [1, 3],
          [3, -257],
          [-1, Buffer.from(String(rsa.n), "base64url")],
          [-2, Buffer.from([1, 0, 1])],
        ]),
      },
    ],
    ["an Ed25519 key of small order", { publicKey: ed25519Key(Buffer.alloc(32)) }],
    ["a credential id of 2000 bytes", { idBytes: 2_000 }],
    ["a credential id of 8 bytes", { idBytes: 8 }],
  ];

  it.each(weak)("T29 C10 refuses a registration with %s and creates nothing", async (_name, lie) => {
    const identifier = `weak-${Math.random().toString(36).slice(2)}@example.org`;
    const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options, lie);
    const body = { identifier, challenge_id: began.body.challenge_id, attestation };
    const response = await exchange.api("POST", "/api/auth/passkey/register/verify", { body });
    expect([response.status, response.body.detail.code]).toEqual([401, "passkey_invalid"]);
    const rows = await exchange.ctx.db.select().from(accounts).where(eq(accounts.email, identifier));
    expect(rows).toEqual([]);
  });

  it("T19 does not read the attestation of a new passkey, whose certificates could make us fetch any URL", async () => {
    const identifier = "attested@example.org";
    const { body } = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
    const attestation = new TestAuthenticator(testOrigin).create(body.options as never);
    const { attestationObject } = attestation.response;
    const object = isoCBOR.decodeFirst<Map<string, never>>(isoBase64URL.toBuffer(attestationObject));
    const certificates = [new Uint8Array(200), new Uint8Array(200)];
    const statement = new Map<string, never>(
      Object.entries({ alg: -7, sig: new Uint8Array(70), x5c: certificates }) as [string, never][],
    );
    const attested = new Map<string, never>([...object, ["fmt", "android-key"], ["attStmt", statement]] as never);
    attestation.response.attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(attested));
    const registered = await exchange.api("POST", "/api/auth/passkey/register/verify", {
      body: { identifier, challenge_id: body.challenge_id, attestation },
    });
    expect(registered.status).toBe(200);
  });

  it("allows 20 passkeys, even if more registrations were started before", async () => {
    const { token, email } = await signUp();
    const started = [];
    for (let i = 0; i < 20; i += 1) {
      const { body } = await exchange.api("POST", "/api/auth/passkey/register", { token, body: { identifier: email } });
      started.push({ challenge_id: body.challenge_id, options: body.options });
    }
    const statuses = [];
    for (const { challenge_id, options } of started) {
      const attestation = new TestAuthenticator(testOrigin).create(options as never);
      const body = { identifier: email, challenge_id, attestation };
      statuses.push((await exchange.api("POST", "/api/auth/passkey/register/verify", { token, body })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 19 }, () => 200), 409]);
    expect((await exchange.register(email, { token })).status).toBe(409);
  });

  it("T31 lets an owner recover an account even if a thief has added as many passkeys as allowed", async () => {
    const { token, email } = await signUp();
    for (let i = 0; i < 19; i += 1) expect((await exchange.register(email, { token })).status).toBe(200);
    expect((await exchange.register(email, { token })).status).toBe(409);
    const byCode = await exchange.signInByCode(email);
    const recovered = await exchange.register(email, { token: byCode.body.access_token });
    expect(recovered.status).toBe(200);
    const owner = { token: recovered.body.access_token };
    const { body } = await exchange.api("GET", "/api/users/me/passkeys?limit=100", owner);
    expect(body.items).toHaveLength(21);
    const [, added] = body.items;
    expect((await exchange.api("DELETE", `/api/users/me/passkeys/${added.id}`, owner)).status).toBe(204);
  });

  it("T25 lets an account add only 20 passkeys in an hour, so that other notices cannot be buried", async () => {
    const { token, email } = await signUp();
    const statuses = [];
    for (let i = 0; i < 21; i += 1) {
      statuses.push((await exchange.register(email, { token })).status);
      const { body } = await exchange.api("GET", "/api/users/me/passkeys", { token });
      const [added] = body.items;
      if (body.items.length > 1) await exchange.api("DELETE", `/api/users/me/passkeys/${added.id}`, { token });
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });

  it("T29 refuses a sign-in with a weak key that was stored earlier", async () => {
    const { authenticator, user } = await signUp();
    // With the neutral point as key, this signature is valid for every message.
    const neutral = Buffer.from([1, ...Buffer.alloc(31)]);
    const publicKey = Buffer.from(encodeCbor(ed25519Key(neutral))).toString("base64url");
    await exchange.ctx.db.update(passkeys).set({ publicKey }).where(eq(passkeys.accountId, user.id));
    const { body } = await start();
    const response = authenticator.get(body.challenge);
    response.response.signature = Buffer.concat([neutral, Buffer.alloc(32)]).toString("base64url");
    expect((await finish(body.challenge_id, response)).status).toBe(401);
  });

  it("T29 refuses a registration whose response and attestation name different credentials", async () => {
    const identifier = "two-names@example.org";
    const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options);
    const id = Buffer.alloc(16, 9).toString("base64url");
    const body = { identifier, challenge_id: began.body.challenge_id, attestation: { ...attestation, id, rawId: id } };
    expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { body })).status).toBe(401);
  });

  it("T28 a challenge is valid once, for one purpose and identifier, for five minutes", async () => {
    const { authenticator, email } = await signUp();
    const other = await signUp();
    const expired = await start();
    const late = authenticator.get(expired.body.challenge);
    exchange.advance(5 * 60_000 + 1_000);
    expect((await finish(expired.body.challenge_id, late)).body.detail.code).toBe("challenge_invalid");

    const mine = await exchange.api("POST", "/api/auth/passkey/login-options", { body: { identifier: email } });
    const foreign = other.authenticator.get({ ...mine.body.options, allowCredentials: [] });
    expect((await finish(mine.body.challenge_id, foreign)).body.detail.code).toBe("passkey_invalid");

    const registering = await exchange.api("POST", "/api/auth/passkey/register", {
      body: { identifier: "purpose@example.org" },
    });
    const signed = authenticator.get({ challenge: registering.body.options.challenge, rpId: "localhost" });
    expect((await finish(registering.body.challenge_id, signed)).body.detail.code).toBe("challenge_invalid");
    const attestation = new TestAuthenticator(testOrigin).create(registering.body.options);
    const verify = (identifier: string) =>
      exchange.api("POST", "/api/auth/passkey/register/verify", {
        body: { identifier, challenge_id: registering.body.challenge_id, attestation },
      });
    expect((await verify("elsewhere@example.org")).body.detail.code).toBe("challenge_invalid");
    expect((await verify("purpose@example.org")).status, "consumed").toBe(401);
  });

  it("T29 refuses a counter that does not increase (a cloned passkey), and accepts one that stays 0 (a synced passkey)", async () => {
    const { authenticator } = await signUp();
    expect((await exchange.signInByPasskey(authenticator)).status).toBe(200);
    const { body } = await start();
    expect((await finish(body.challenge_id, authenticator.get(body.challenge, { counter: 1 }))).status).toBe(401);

    const synced = new TestAuthenticator(testOrigin, false);
    await exchange.register("synced@example.org", { authenticator: synced });
    synced.backedUp = true;
    const first = await exchange.signInByPasskey(synced);
    expect(first.status).toBe(200);
    expect((await exchange.signInByPasskey(synced)).status).toBe(200);
    const list = await exchange.api("GET", "/api/users/me/passkeys", { token: first.body.access_token });
    expect(list.body.items[0].backed_up, "updated at each sign-in").toBe(true);
  });

  it("C10 excludes registered credentials, and refuses a registration started by another account", async () => {
    const { email, token, authenticator } = await signUp();
    const began = await exchange.api("POST", "/api/auth/passkey/register", { token, body: { identifier: email } });
    expect(began.body.options.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual(
      authenticator.credentials.map(({ id }) => id),
    );
    const other = await signUp();
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options);
    const body = { identifier: email, challenge_id: began.body.challenge_id, attestation };
    expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { token: other.token, body })).status).toBe(
      401,
    );
  });

  it("renames and removes only the account's own passkeys, and ends the sessions that a removed one opened", async () => {
    const { email, token } = await signUp();
    const second = new TestAuthenticator(testOrigin);
    const added = await exchange.register(email, { token, authenticator: second });
    const elsewhere = await exchange.signInByPasskey(second);
    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token })).body;
    const path = `/api/users/me/passkeys/${items[0].id}`;
    const renamed = await exchange.api("PATCH", path, { token, body: { name: "  Blue key " } });
    expect(renamed.body).toMatchObject({ id: items[0].id, name: "Blue key" });

    const stranger = await signUp();
    expect((await exchange.api("PATCH", path, { token: stranger.token, body: { name: "x" } })).status).toBe(404);
    expect((await exchange.api("DELETE", path, { token: stranger.token })).status).toBe(404);
    const mailed = await exchange.signInByCode(email);
    const byMail = await exchange.api("DELETE", path, { token: mailed.body.access_token });
    expect(byMail.body.detail.code).toBe("passkey_required");

    expect((await exchange.api("DELETE", path, { token })).status).toBe(204);
    for (const ended of [added.body.access_token, elsewhere.body.access_token]) {
      expect((await exchange.api("GET", "/api/users/me", { token: ended })).status).toBe(401);
    }
    expect((await exchange.signInByPasskey(second)).status).toBe(401);
  });

  it("T32 removing a passkey needs one verified in the last five minutes", async () => {
    const { token } = await signUp();
    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token })).body;
    exchange.advance(6 * 60_000);
    const response = await exchange.api("DELETE", `/api/users/me/passkeys/${items[0].id}`, { token });
    expect(response.body.detail.code).toBe("passkey_too_old");
  });

  it("T29 refuses a response with any signed bit changed", async () => {
    const { authenticator } = await signUp();
    const before = await exchange.ctx.db.select().from(passkeys);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("authenticatorData", "clientDataJSON", "signature"),
        fc.nat(),
        fc.integer({ min: 0, max: 7 }),
        async (member, position, bit) => {
          const { body } = await start();
          const honest = authenticator.get(body.challenge);
          const bytes = Buffer.from(honest.response[member as "signature"], "base64url");
          const at = position % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
          const response = { ...honest.response, [member]: bytes.toString("base64url") };
          const refused = await finish(body.challenge_id, { ...honest, response });
          expect(refused.status).toBe(401);
        },
      ),
      { numRuns: 150 },
    );
    expect(await exchange.ctx.db.select().from(passkeys)).toEqual(before);
  });

  it("T29 refuses malformed WebAuthn responses with 401 or 422, never 500", async () => {
    const { authenticator } = await signUp();
    const id = authenticator.credentials[0]?.id;
    const shapes = [
      { id },
      { id, response: null },
      { id, rawId: id, type: "public-key", response: {} },
      { id: 5 },
      { id: "x".repeat(5_000) },
      [],
    ];
    for (const shape of shapes) {
      const { body } = await start();
      expect([401, 422]).toContain((await finish(body.challenge_id, shape)).status);
      const began = await exchange.api("POST", "/api/auth/passkey/register", {
        body: { identifier: "shape@example.org" },
      });
      const verify = { identifier: "shape@example.org", challenge_id: began.body.challenge_id, attestation: shape };
      expect([401, 422]).toContain(
        (await exchange.api("POST", "/api/auth/passkey/register/verify", { body: verify })).status,
      );
    }
  });
});
