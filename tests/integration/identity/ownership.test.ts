import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { signInByCode } from "~/exchange.server/accounts/email-sign-in";
import { findCaller } from "~/exchange.server/accounts/find-caller";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { listConsents, recordConsents } from "~/exchange.server/personal-data/consents";
import { minuteMs } from "~/lib/durations";
import { TestAuthenticator } from "../../support/authenticator";
import { createTestExchange, testOrigin } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { testDatabases } from "../../support/test-database";

/**
 * Anyone can register a passkey for any address. Only an e-mail code shows who owns the address, and so the account.
 */
describe.each(testDatabases)("account ownership by e-mail, on %s", (database) => {
  const exchange = forAllTests(() => createTestExchange({ database }));

  const me = (token: string) => exchange.api("GET", "/api/users/me", { token });
  const mailsTo = async (email: string) => {
    await sendOutbox(exchange.ctx);
    return (await exchange.inbox.list(email)).map(({ subject }) => subject);
  };

  it("T27 an e-mail sign-in to an unverified account removes what a squatter added", async () => {
    const email = "victim@example.org";
    const squatter = await exchange.register(email);
    const token = squatter.body.access_token;
    const address = await exchange.api("POST", "/api/swap/delivery-addresses", {
      token,
      body: { type: "ETH", address: "0x52908400098527886E0F7030069857D2E4169EE7", label: "My wallet" },
    });
    expect(address.status).toBe(201);
    const muted = await exchange.api("PATCH", "/api/users/me/mail-preferences", { token, body: { paid_out: false } });
    expect(muted.status).toBe(200);
    const consent = { accepted: [{ document: "terms", version: "2026-01" }] };
    expect((await exchange.api("POST", "/api/users/me/consents", { token, body: consent })).status).toBe(200);

    const owner = await exchange.signInByCode(email);
    expect(owner.status).toBe(200);
    expect((await me(owner.body.access_token)).body).toMatchObject({
      email_verified: true,
      passkey_authenticated: false,
    });
    expect((await me(token)).status).toBe(401);
    const refreshed = await exchange.api("POST", "/api/auth/refresh", {
      body: { refresh_token: squatter.body.refresh_token },
    });
    expect(refreshed.status).toBe(401);
    const passkeys = await exchange.api("GET", "/api/users/me/passkeys", { token: owner.body.access_token });
    expect(passkeys.body.items).toEqual([]);
    const options = await exchange.api("POST", "/api/auth/passkey/login-options", { body: { identifier: email } });
    expect(options.status).toBe(401);

    const own = await exchange.register(email, { token: owner.body.access_token });
    const addresses = await exchange.api("GET", "/api/swap/delivery-addresses", { token: own.body.access_token });
    expect(addresses.body.items).toEqual([]);
    const consents = await exchange.api("GET", "/api/users/me/consents", { token: own.body.access_token });
    expect(consents.body.items).toEqual([]);
    const mails = await exchange.api("GET", "/api/users/me/mail-preferences", { token: own.body.access_token });
    expect(mails.body).toMatchObject({ paid_out: true });
  });

  it("T27 does not record an acceptance for a session that the owner's sign-in has ended in the meantime", async () => {
    const email = "accepted@example.org";
    const squatter = await exchange.register(email);
    const caller = await findCaller(exchange.ctx, squatter.body.access_token);
    if (!caller) throw new Error("the squatter is signed in");
    await exchange.signInByCode(email);
    const accepted = [{ document: "terms", version: "2026-01" }] as const;
    const recording = recordConsents(exchange.ctx, caller, { accepted: [...accepted] });
    await expect(recording).rejects.toMatchObject({ code: "token_expired" });
    expect(await listConsents(exchange.ctx, caller)).toEqual({ items: [] });
  });

  it("T27 an e-mail sign-in cancels a squatter's unfinished registration", async () => {
    const email = "half@example.org";
    const squatter = await exchange.register(email);
    const token = squatter.body.access_token;
    const began = await exchange.api("POST", "/api/auth/passkey/register", { token, body: { identifier: email } });
    await exchange.signInByCode(email);
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options);
    const body = { identifier: email, challenge_id: began.body.challenge_id, attestation };
    expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { token, body })).status).toBe(401);
    expect((await exchange.api("POST", "/api/auth/passkey/register/verify", { body })).status).toBe(401);
  });

  it("T27 verifying an address needs the account's passkey token in both calls; with one it is a plain sign-in", async () => {
    const email = "both@example.org";
    const registered = await exchange.register(email);
    const { challengeId, code } = await exchange.requestCode(email);
    const response = await exchange.api("POST", "/api/auth", {
      token: registered.body.access_token,
      body: { credentials: { challenge_id: challengeId, auth_data: { code } } },
    });
    expect((await me(response.body.access_token)).body.passkey_authenticated).toBe(false);
    expect((await me(registered.body.access_token)).status).toBe(401);
  });

  it("C05 keeps the passkey if the token that requested the code has expired, and accepts the code with a new token", async () => {
    const email = "expired@example.org";
    const { access_token: token, refresh_token } = (await exchange.register(email)).body;
    exchange.advance(8 * minuteMs);
    const { challengeId, code } = await exchange.requestCode(email, token);
    exchange.advance(8 * minuteMs);
    const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
    const refused = await exchange.api("POST", "/api/auth", { token, body });
    expect([refused.status, refused.body.detail.code]).toEqual([401, "token_expired"]);

    const renewed = await exchange.api("POST", "/api/auth/refresh", { body: { refresh_token } });
    const verified = await exchange.api("POST", "/api/auth", { token: renewed.body.access_token, body });
    const user = await me(verified.body.access_token);
    expect(user.body).toMatchObject({ email_verified: true, passkey_authenticated: true });
  });

  it("C05 keeps the passkey if the session that requested the code ends while the code is checked", async () => {
    const email = "ending@example.org";
    const authenticator = new TestAuthenticator(testOrigin);
    const token = (await exchange.register(email, { authenticator })).body.access_token;
    const { challengeId, code } = await exchange.requestCode(email, token);
    const caller = await findCaller(exchange.ctx, token);
    expect((await exchange.api("POST", "/api/auth/logout", { token })).status).toBe(204);
    const visitor = { hasInvalidToken: false, userAgent: null, remoteAddress: undefined };
    const checked = signInByCode(exchange.ctx, { challengeId, code, caller, ...visitor });
    await expect(checked).rejects.toMatchObject({ code: "token_expired" });
    expect((await exchange.signInByPasskey(authenticator)).status).toBe(200);
  });

  it("C04 C05 ignores a token of another account", async () => {
    const other = await exchange.signUp();
    const email = "mine@example.org";
    const response = await exchange.signInByCode(email, other.token);
    const user = await me(response.body.access_token);
    expect(user.body).toMatchObject({ email, passkey_authenticated: false });
    expect((await me(other.token)).status).toBe(200);
  });

  it("C09 refuses a registration for an existing account without its token with 401, and adds nothing", async () => {
    const { email, token } = await exchange.signUp();
    const other = await exchange.signUp();
    for (const wrong of [undefined, other.token, "aa_nothing"]) {
      const response = await exchange.api("POST", "/api/auth/passkey/register", {
        token: wrong,
        body: { identifier: email },
      });
      expect(response.status).toBe(401);
    }
    const passkeys = await exchange.api("GET", "/api/users/me/passkeys", { token });
    expect(passkeys.body.items).toHaveLength(1);
  });

  it("C10 refuses a stranger's registration if the account was created in the meantime", async () => {
    const email = "raced@example.org";
    const began = await exchange.api("POST", "/api/auth/passkey/register", { body: { identifier: email } });
    await exchange.signInByCode(email);
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options);
    const response = await exchange.api("POST", "/api/auth/passkey/register/verify", {
      body: { identifier: email, challenge_id: began.body.challenge_id, attestation },
    });
    expect(response.status).toBe(401);
    expect(response.body.detail.code).toBe("challenge_invalid");
  });

  it("C10 adding a passkey needs one verified in the last five minutes (T32) and sends an e-mail", async () => {
    const { email, token, authenticator } = await exchange.signUp();
    exchange.advance(5 * 60_000 + 1_000);
    const late = await exchange.register(email, { token });
    expect(late.status).toBe(403);
    expect(late.body).toMatchObject({ detail: { code: "passkey_too_old" } });
    const fresh = await exchange.signInByPasskey(authenticator);
    const further = await exchange.register(email, { token: fresh.body.access_token });
    expect(further.status).toBe(200);
    expect(await mailsTo(email)).toContain("A passkey was added to your account");
    expect((await me(fresh.body.access_token)).status).toBe(200);
  });

  it("T12 T32 the steps in the e-mail about a passkey shut out a thief who added it with a stolen session", async () => {
    const { email, token: stolen, refreshToken: stolenRefresh, authenticator } = await exchange.signUp();
    const thief = new TestAuthenticator(testOrigin);
    const added = (await exchange.register(email, { token: stolen, authenticator: thief })).body;
    const again = (await exchange.signInByPasskey(thief)).body;
    const began = await exchange.api("POST", "/api/auth/passkey/register", {
      token: stolen,
      body: { identifier: email },
    });
    const signIn = await exchange.api("POST", "/api/auth", { body: { auth_method: "passkey" } });
    await sendOutbox(exchange.ctx);
    const mail = (await exchange.inbox.list(email)).find(
      ({ subject }) => subject === "A passkey was added to your account",
    );
    expect(mail?.text).toContain(
      "remove every passkey you don't recognise, sign out all other devices, then open Addresses",
    );

    const owner = (await exchange.signInByPasskey(authenticator)).body.access_token;
    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token: owner })).body;
    const id = items.find(({ name }: { name: string }) => name === "Passkey 2").id;
    expect((await exchange.api("DELETE", `/api/users/me/passkeys/${id}`, { token: owner })).status).toBe(204);
    expect((await me(again.access_token)).status, "opened by the passkey").toBe(401);
    expect((await exchange.api("DELETE", "/api/users/me/sessions", { token: owner })).status).toBe(204);

    for (const { access_token, refresh_token } of [
      added,
      again,
      { access_token: stolen, refresh_token: stolenRefresh },
    ]) {
      expect((await me(access_token)).status).toBe(401);
      expect((await exchange.api("POST", "/api/auth/refresh", { body: { refresh_token } })).status).toBe(401);
    }
    const attestation = new TestAuthenticator(testOrigin).create(began.body.options);
    const registration = { identifier: email, challenge_id: began.body.challenge_id, attestation };
    const registered = await exchange.api("POST", "/api/auth/passkey/register/verify", {
      token: stolen,
      body: registration,
    });
    expect(registered.status, "with a registration that had begun").toBe(401);
    const credentials = { challenge_id: signIn.body.challenge_id, auth_data: thief.get(signIn.body.challenge) };
    const late = await exchange.api("POST", "/api/auth", { body: { auth_method: "passkey", credentials } });
    expect(late.status, "with a sign-in that had begun").toBe(401);
    expect((await me(owner)).status).toBe(200);
  });

  it("T31 adding a passkey with an e-mail session ends other sessions, sends an e-mail and delays payouts by 24 hours", async () => {
    const customer = await exchange.signUp();
    const back = await exchange.signInByCode(customer.email);
    const recovered = await exchange.register(customer.email, { token: back.body.access_token });
    expect(recovered.status).toBe(200);
    expect((await me(customer.token)).status).toBe(401);
    expect((await me(back.body.access_token)).status).toBe(401);
    const { passkey_authenticated, payouts_wait_until } = (await me(recovered.body.access_token)).body;
    expect(passkey_authenticated).toBe(true);
    expect(Date.parse(payouts_wait_until)).toBeGreaterThan(Date.now());
    expect(await mailsTo(customer.email)).toContain("Your account was recovered with an e-mail code");
    const until = await payoutsWaitUntil(customer.email);
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    expect(Math.abs((until?.getTime() ?? 0) - now.getTime() - 24 * 3_600_000)).toBeLessThan(5_000);
  });

  it("T31 a recovery pauses a passkey that a thief added, until its owner has had a day to remove it", async () => {
    const customer = await exchange.signUp();
    const thief = new TestAuthenticator(testOrigin);
    const { token, email } = customer;
    expect((await exchange.register(email, { token, authenticator: thief })).status).toBe(200);
    const began = await exchange.api("POST", "/api/auth", { body: { auth_method: "passkey" } });
    expect((await exchange.signInByPasskey(thief)).status).toBe(200);

    const byCode = await exchange.signInByCode(email);
    const owner = new TestAuthenticator(testOrigin);
    const recovered = await exchange.register(email, { token: byCode.body.access_token, authenticator: owner });
    const until = (await payoutsWaitUntil(email))?.toISOString();
    const refused = await exchange.signInByPasskey(thief);
    expect([refused.status, refused.body]).toMatchObject([403, { detail: { code: "passkey_paused" } }]);
    const credentials = { challenge_id: began.body.challenge_id, auth_data: thief.get(began.body.challenge) };
    const early = await exchange.api("POST", "/api/auth", { body: { auth_method: "passkey", credentials } });
    expect(early.status, "with a challenge from before the recovery").toBe(403);

    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token: recovered.body.access_token }))
      .body;
    expect(items).toMatchObject([
      { name: "Passkey 3", paused_until: null },
      { name: "Passkey 2", paused_until: until },
      { name: "Passkey", paused_until: null },
    ]);
    await sendOutbox(exchange.ctx);
    const mails = await exchange.inbox.list(email);
    const mail = mails.find(({ subject }) => subject === "Your account was recovered with an e-mail code");
    expect(mail?.text).toMatch(/remove those that you don't recognise:\s+\S Passkey 2, added on [^\n]+ UTC\n/);
    for (const authenticator of [owner, customer.authenticator])
      expect((await exchange.signInByPasskey(authenticator)).status).toBe(200);

    exchange.advance(24 * 3_600_000 + 1_000);
    expect((await exchange.signInByPasskey(thief)).status, "once the day is over").toBe(200);
  });

  it("T31 lets the owner add another passkey on the device whose passkey is paused", async () => {
    const customer = await exchange.signUp();
    const { token, email } = customer;
    const device = new TestAuthenticator(testOrigin);
    expect((await exchange.register(email, { token, authenticator: device })).status).toBe(200);
    const recover = async (authenticator = new TestAuthenticator(testOrigin)) => {
      const byCode = await exchange.signInByCode(email);
      return exchange.register(email, { token: byCode.body.access_token, authenticator });
    };
    expect((await recover()).status).toBe(200);
    expect((await exchange.signInByPasskey(device)).body).toMatchObject({ detail: { code: "passkey_paused" } });
    expect((await recover(device)).status).toBe(200);
    expect((await exchange.signInByPasskey(device)).status).toBe(200);
    await expect(recover(customer.authenticator), "not paused").rejects.toThrow("InvalidStateError");
  });

  it("T31 a recovery by someone who reads the owner's e-mail leaves the owner passkeys to stop it with", async () => {
    const customer = await exchange.signUp();
    const { token, email } = customer;
    const old = new TestAuthenticator(testOrigin);
    expect((await exchange.register(email, { token, authenticator: old })).status).toBe(200);
    exchange.advance(31 * 24 * 3_600_000);
    const withCode = new TestAuthenticator(testOrigin);
    const recover = async (authenticator: TestAuthenticator) => {
      const byCode = await exchange.signInByCode(email);
      return exchange.register(email, { token: byCode.body.access_token, authenticator });
    };
    expect((await recover(withCode)).status).toBe(200);
    const thief = new TestAuthenticator(testOrigin);
    const stolen = await recover(thief);
    expect(stolen.status).toBe(200);
    for (const authenticator of [customer.authenticator, old, withCode])
      expect((await exchange.signInByPasskey(authenticator)).status).toBe(200);
    const owner = { token: (await exchange.signInByPasskey(old)).body.access_token };
    const [added] = (await exchange.api("GET", "/api/users/me/passkeys", owner)).body.items;
    expect((await exchange.api("DELETE", `/api/users/me/passkeys/${added.id}`, owner)).status).toBe(204);
    expect((await me(stolen.body.access_token)).status).toBe(401);
    expect((await exchange.signInByPasskey(thief)).status).toBe(401);
  });

  it("does not treat a first verification, a first passkey or an e-mail sign-in as a recovery", async () => {
    const email = "first@example.org";
    const signedIn = await exchange.signInByCode(email);
    const registered = await exchange.register(email, { token: signedIn.body.access_token });
    expect(registered.status).toBe(200);
    expect((await me(signedIn.body.access_token)).status).toBe(200);
    await exchange.signInByCode(email);
    expect(await payoutsWaitUntil(email)).toBeNull();
    expect((await mailsTo(email)).filter((subject) => !subject.endsWith("is your Antelope code"))).toEqual([]);
  });

  it("T31 treats a passkey as a recovery, too, if the account had one that was removed", async () => {
    const customer = await exchange.signUp("removed@example.org");
    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token: customer.token })).body;
    const path = `/api/users/me/passkeys/${items[0].id}`;
    expect((await exchange.api("DELETE", path, { token: customer.token })).status).toBe(204);
    const { body } = await exchange.signInByCode(customer.email);
    expect((await exchange.register(customer.email, { token: body.access_token })).status).toBe(200);
    expect(await payoutsWaitUntil(customer.email)).not.toBeNull();
    expect((await me(customer.token)).status).toBe(401);
  });

  it("C10 sends nothing to an unverified address", async () => {
    const email = "stranger@example.org";
    const registered = await exchange.register(email);
    expect((await exchange.register(email, { token: registered.body.access_token })).status).toBe(200);
    expect(await mailsTo(email)).toEqual([]);
  });

  it("does not remove the only passkey of an account with an unverified address", async () => {
    const email = "only@example.org";
    const { body } = await exchange.register(email);
    const token = body.access_token;
    const { items } = (await exchange.api("GET", "/api/users/me/passkeys", { token })).body;
    const path = `/api/users/me/passkeys/${items[0].id}`;
    const refused = await exchange.api("DELETE", path, { token });
    expect(refused.status).toBe(409);
    expect(refused.body.detail.code).toBe("passkey_last");
    const verified = await exchange.signInByCode(email, token);
    expect((await exchange.api("DELETE", path, { token: verified.body.access_token })).status).toBe(204);
    expect((await me(token)).status, "the session of the removed passkey ends").toBe(401);
    expect((await me(verified.body.access_token)).status, "the caller's session stays active").toBe(200);
  });

  it("T33 treats an address in any case as the same account, and refuses look-alikes and line breaks", async () => {
    const first = await exchange.signInByCode("Case@Example.ORG");
    const second = await exchange.signInByCode("case@example.org");
    expect((await me(first.body.access_token)).body.id).toBe((await me(second.body.access_token)).body.id);
    for (const identifier of [
      "cаse@example.org",
      "a\r\nBcc: b@example.org",
      "a@example.org\nx",
      "ſ@example.org",
      "a@b",
    ]) {
      const response = await exchange.api("POST", "/api/auth", {
        body: { auth_method: "email", credentials: { identifier } },
      });
      expect(response.status, JSON.stringify(identifier)).toBe(422);
    }
  });

  async function payoutsWaitUntil(email: string): Promise<Date | null> {
    const [row] = await exchange.ctx.db.select().from(accounts).where(eq(accounts.email, email));
    return row?.payoutsWaitUntil ?? null;
  }
});
