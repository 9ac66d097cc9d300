import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { passkeys } from "../../../app/exchange.server/accounts/tables";
import { type Lies, TestAuthenticator } from "../../support/authenticator";
import { createTestExchange, type TestExchange, testOrigin } from "../../support/exchange";
import { testDatabases } from "../../support/test-database";

describe.each(testDatabases)("passkeys, on %s", (database) => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await createTestExchange({ database });
  });
  afterAll(() => exchange.close());

  const begin = () => exchange.api("POST", "/api/auth", { body: { auth_method: "passkey" } });
  const finish = (challenge_id: string, auth_data: unknown) =>
    exchange.api("POST", "/api/auth", { body: { auth_method: "passkey", credentials: { challenge_id, auth_data } } });
  const newcomer = () => exchange.signUp(undefined, { kyc: false });

  const lies: [string, Lies][] = [
    ["another origin", { origin: "http://localhost:3001" }],
    ["an origin that only begins like ours", { origin: `${testOrigin}.evil.example` }],
    ["another relying party", { rpId: "evil.example" }],
    ["no user verification", { userVerified: false }],
    ["another challenge", { challenge: Buffer.alloc(32, 7).toString("base64url") }],
    ["another ceremony", { type: "webauthn.create" }],
  ];

  it.each(lies)("T29 C06 an answer with %s is refused", async (_name, lie) => {
    const { authenticator } = await newcomer();
    const { body } = await begin();
    const answer = await finish(body.challenge_id, authenticator.get(body.challenge, lie));
    expect(answer.status).toBe(401);
    expect(answer.body.detail.code).toBe("passkey_invalid");
    const again = await finish(body.challenge_id, authenticator.get(body.challenge));
    expect(again.body.detail.code, "the challenge is burnt all the same (T28)").toBe("challenge_invalid");
  });

  it.each(lies.filter(([, lie]) => lie.type === undefined))(
    "T29 C10 a registration with %s is refused and makes nothing",
    async (_name, lie) => {
      const identifier = `liar-${Math.random().toString(36).slice(2)}@example.org`;
      const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
      const attestation = new TestAuthenticator(testOrigin).create(began.body.options, lie);
      const body = { identifier, challenge_id: began.body.challenge_id, attestation };
      expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { body })).status).toBe(401);
      const retried = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier } });
      expect(retried.status, "the identifier is still nobody's").toBe(200);
    },
  );

  it("T28 a challenge is for one ceremony, one purpose, one identifier, five minutes", async () => {
    const { authenticator, email } = await newcomer();
    const other = await newcomer();
    const expired = await begin();
    const answer = authenticator.get(expired.body.challenge);
    exchange.advance(5 * 60_000 + 1_000);
    expect((await finish(expired.body.challenge_id, answer)).body.detail.code).toBe("challenge_invalid");

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
    expect((await verify("purpose@example.org")).status, "burnt").toBe(401);
  });

  it("T29 a counter that does not grow is a copy and refused; one that stays 0 (synced) is fine", async () => {
    const { authenticator } = await newcomer();
    expect((await exchange.signInByPasskey(authenticator)).status).toBe(200);
    const { body } = await begin();
    expect((await finish(body.challenge_id, authenticator.get(body.challenge, { counter: 1 }))).status).toBe(401);

    const synced = new TestAuthenticator(testOrigin, false);
    await exchange.register("synced@example.org", { authenticator: synced });
    synced.backedUp = true;
    const first = await exchange.signInByPasskey(synced);
    expect(first.status).toBe(200);
    expect((await exchange.signInByPasskey(synced)).status).toBe(200);
    const list = await exchange.api("GET", "/api/users/me/passkeys", { token: first.body.access_token });
    expect(list.body.items[0].backed_up, "told anew at each sign-in").toBe(true);
  });

  it("C10 the same credential cannot be registered twice, nor under another account's eyes", async () => {
    const { email, token, authenticator } = await newcomer();
    const began = await exchange.api("POST", "/api/auth/passkey/register", { token, body: { identifier: email } });
    expect(began.body.options.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual(
      authenticator.credentials.map(({ id }) => id),
    );
    const other = await newcomer();
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options);
    const body = { identifier: email, challenge_id: began.body.challenge_id, attestation };
    expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { token: other.token, body })).status).toBe(
      401,
    );
  });

  it("renames and removes a passkey of one's own, and ends the sessions that it opened", async () => {
    const { email, token } = await newcomer();
    const second = new TestAuthenticator(testOrigin);
    const added = await exchange.register(email, { token, authenticator: second });
    const elsewhere = await exchange.signInByPasskey(second);
    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token })).body;
    const path = `/api/users/me/passkeys/${items[0].id}`;
    const renamed = await exchange.api("PATCH", path, { token, body: { name: "  Blue key " } });
    expect(renamed.body).toMatchObject({ id: items[0].id, name: "Blue key" });

    const stranger = await newcomer();
    expect((await exchange.api("PATCH", path, { token: stranger.token, body: { name: "x" } })).status).toBe(404);
    expect((await exchange.api("DELETE", path, { token: stranger.token })).status).toBe(404);
    const mailed = await exchange.signInByCode(email);
    const byMail = await exchange.api("DELETE", path, { token: mailed.body.access_token });
    expect(byMail.body.detail.code).toBe("passkey_required");

    expect((await exchange.api("DELETE", path, { token })).status).toBe(204);
    for (const dead of [added.body.access_token, elsewhere.body.access_token]) {
      expect((await exchange.api("GET", "/api/users/me", { token: dead })).status).toBe(401);
    }
    expect((await exchange.signInByPasskey(second)).status).toBe(401);
  });

  it("T32 removing a passkey needs one proven in the last five minutes", async () => {
    const { token } = await newcomer();
    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token })).body;
    exchange.advance(6 * 60_000);
    const answer = await exchange.api("DELETE", `/api/users/me/passkeys/${items[0].id}`, { token });
    expect(answer.body.detail.code).toBe("passkey_too_old");
  });

  it("T29 no answer with a changed bit in what is signed is accepted", async () => {
    const { authenticator } = await newcomer();
    const before = await exchange.x.db.select().from(passkeys);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("authenticatorData", "clientDataJSON", "signature"),
        fc.nat(),
        fc.integer({ min: 0, max: 7 }),
        async (member, position, bit) => {
          const { body } = await begin();
          const honest = authenticator.get(body.challenge);
          const bytes = Buffer.from(honest.response[member as "signature"], "base64url");
          const at = position % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
          const response = { ...honest.response, [member]: bytes.toString("base64url") };
          const answer = await finish(body.challenge_id, { ...honest, response });
          expect(answer.status).toBe(401);
        },
      ),
      { numRuns: 150 },
    );
    expect(await exchange.x.db.select().from(passkeys)).toEqual(before);
  });

  it("T29 answers that are no WebAuthn at all are 401 or 422, never 500", async () => {
    const { authenticator } = await newcomer();
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
      const { body } = await begin();
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
