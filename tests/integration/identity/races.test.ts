import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeAccountSessions } from "~/exchange.server/accounts/end-sessions";
import { findCaller } from "~/exchange.server/accounts/find-caller";
import { type Database, lockFor } from "~/exchange.server/db/database";
import { openPostgres } from "~/exchange.server/db/open";
import { accounts, emailChallenges, passkeys, sessions } from "~/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { kycApplications } from "~/exchange.server/db/schema/kyc";
import { priceAlerts } from "~/exchange.server/db/schema/price-alerts";
import { deleteAccount } from "~/exchange.server/personal-data/delete-account";
import { deferred } from "../../support/deferred";
import { type ApiResponse, application, createTestExchange, type TestExchange } from "../../support/exchange";
import { createTestPostgres, untilBlocked } from "../../support/postgres";

/** Two exchanges with a pool each on one PostgreSQL, like two processes of a site. */
describe("sign-in under 200 parallel requests to two exchanges on PostgreSQL", () => {
  let both: [TestExchange, TestExchange];
  beforeAll(async () => {
    const url = await createTestPostgres();
    const [first, second] = await Promise.all([
      openPostgres(url, { poolSize: 20 }),
      openPostgres(url, { poolSize: 20 }),
    ]);
    both = [await createTestExchange({ database: first }), await createTestExchange({ database: second })];
  });
  afterAll(async () => {
    await Promise.all(both.map((exchange) => exchange.close()));
  });

  const inParallel = (count: number, call: (exchange: TestExchange, i: number) => Promise<ApiResponse>) =>
    Promise.all(Array.from({ length: count }, (_, i) => call(both[i % 2] as TestExchange, i)));
  const statuses = (responses: ApiResponse[]) => responses.map(({ status }) => status);
  const sessionsOf = async (accountId: string) =>
    both[0].ctx.db.select().from(sessions).where(eq(sessions.accountId, accountId));

  it("T24 checks at most 5 of 200 wrong codes, and refuses the correct one after them", async () => {
    const { challengeId, code } = await both[0].requestCode("wrong@example.org");
    const wrong = code === "000000" ? "000001" : "000000";
    const toBody = (guess: string) => ({ credentials: { challenge_id: challengeId, auth_data: { code: guess } } });
    const responses = await inParallel(200, (exchange) => exchange.api("POST", "/api/auth", { body: toBody(wrong) }));
    expect(new Set(statuses(responses))).toEqual(new Set([401]));
    const [row] = await both[0].ctx.db.select().from(emailChallenges).where(eq(emailChallenges.id, challengeId));
    expect(row?.tries).toBe(5);
    expect((await both[1].api("POST", "/api/auth", { body: toBody(code) })).status).toBe(401);
  });

  it("T24 opens one session for 200 correct codes", async () => {
    const { challengeId, code } = await both[0].requestCode("right@example.org");
    const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
    const responses = await inParallel(200, (exchange) => exchange.api("POST", "/api/auth", { body }));
    const winners = responses.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const me = await both[1].api("GET", "/api/users/me", { token: winners[0]?.body.access_token });
    expect(await sessionsOf(me.body.id)).toHaveLength(1);
  });

  it("T28 opens one session for 200 copies of a passkey response", async () => {
    const { authenticator, user } = await both[0].signUp("challenge@example.org", { kyc: false });
    const before = await sessionsOf(user.id);
    const started = await both[0].api("POST", "/api/auth", { body: { auth_method: "passkey" } });
    const auth_data = authenticator.get(started.body.challenge);
    const body = { auth_method: "passkey", credentials: { challenge_id: started.body.challenge_id, auth_data } };
    const responses = await inParallel(200, (exchange) => exchange.api("POST", "/api/auth", { body }));
    expect(statuses(responses).filter((status) => status === 200)).toHaveLength(1);
    expect(await sessionsOf(user.id)).toHaveLength(before.length + 1);
  });

  it("T28 C10 creates one account for 50 copies of a registration", async () => {
    const { TestAuthenticator } = await import("../../support/authenticator");
    const identifier = "register-race@example.org";
    const began = await both[0].api("POST", "/api/auth/passkey/register", { body: { identifier } });
    const attestation = new TestAuthenticator("http://localhost:3000").create(began.body.options);
    const body = { identifier, challenge_id: began.body.challenge_id, attestation };
    const responses = await inParallel(50, (exchange) =>
      exchange.api("POST", "/api/auth/passkey/register/verify", { body }),
    );
    expect(statuses(responses).filter((status) => status === 200)).toHaveLength(1);
  });

  it("T30 S05 C07 rotates once for 50 parallel refreshes, 20 times in a row, and does not sign anyone out", async () => {
    const { refreshToken, user, token } = await both[0].signUp("refresh@example.org", { kyc: false });
    const me = await both[0].api("GET", "/api/users/me/sessions", { token });
    const currentSession = me.body.items.find((session: { current: boolean }) => session.current);
    let newest = refreshToken;
    for (let round = 1; round <= 20; round += 1) {
      const responses = await inParallel(50, (exchange) =>
        exchange.api("POST", "/api/auth/refresh", { body: { refresh_token: newest } }),
      );
      expect(new Set(statuses(responses))).toEqual(new Set([200]));
      expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size, "all get the same successor").toBe(1);
      newest = responses[0]?.body.refresh_token;
      const rows = await sessionsOf(user.id);
      expect(rows.find(({ id }) => id === currentSession.id)?.generation).toBe(round);
    }
  });

  /** Runs `work` while another transaction holds a lock, and releases the lock then. */
  const whileHolding = async (take: (tx: Database) => Promise<unknown>, work: () => Promise<void>) => {
    const [taken, released] = [deferred(), deferred()];
    const holder = both[1].ctx.db.transaction(async (tx) => {
      await take(tx);
      taken.resolve();
      await released.promise;
    });
    await taken.promise;
    await work().finally(() => released.resolve());
    await holder;
  };
  /** The response to a request that waits for another transaction's lock, which `take` takes. */
  const responseAfter = async (take: (tx: Database) => Promise<unknown>, request: () => Promise<ApiResponse>) => {
    let response: Promise<ApiResponse> | undefined;
    await whileHolding(take, async () => {
      response = request();
      await untilBlocked(both[1].ctx.db);
    });
    return response;
  };
  const block = (tx: Database, accountId: string) =>
    tx.update(accounts).set({ blockedAt: new Date() }).where(eq(accounts.id, accountId));
  const squat = async (email: string) => {
    const { body } = await both[0].register(email);
    const token: string = body.access_token;
    return { token, id: (await both[0].api("GET", "/api/users/me", { token })).body.id as string };
  };

  it("T27 does not store an address for a squatter whose request the owner's sign-in overtakes", async () => {
    const email = "overtaken@example.org";
    const { token, id } = await squat(email);
    let adding: Promise<ApiResponse> | undefined;
    await whileHolding(
      (tx) => lockFor(tx, `delivery_addresses:${id}`),
      async () => {
        const body = { type: "ETH", address: "0x52908400098527886E0F7030069857D2E4169EE7", label: "My wallet" };
        adding = both[0].api("POST", "/api/swap/delivery-addresses", { token, body });
        await untilBlocked(both[1].ctx.db);
        expect((await both[1].signInByCode(email)).status).toBe(200);
      },
    );
    expect((await adding)?.status).toBe(401);
    const saved = both[0].ctx.db.select().from(deliveryAddresses).where(eq(deliveryAddresses.accountId, id));
    expect(await saved).toEqual([]);
  });

  it("T27 does not mute e-mails for a squatter whose request waits for the owner's sign-in", async () => {
    const email = "outwaited@example.org";
    const { token, id } = await squat(email);
    const { challengeId, code } = await both[1].requestCode(email);
    let responses: Promise<ApiResponse>[] = [];
    await whileHolding(
      (tx) => tx.select().from(accounts).where(eq(accounts.id, id)).for("update"),
      async () => {
        const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
        responses = [both[1].api("POST", "/api/auth", { body })];
        await untilBlocked(both[1].ctx.db);
        responses.push(both[0].api("PATCH", "/api/users/me/mail-preferences", { token, body: { paid_out: false } }));
        await untilBlocked(both[1].ctx.db, 2);
      },
    );
    expect(statuses(await Promise.all(responses))).toEqual([200, 401]);
    const [account] = await both[0].ctx.db.select().from(accounts).where(eq(accounts.id, id));
    expect(account?.mutedMails).toEqual([]);
  });

  /** A customer who has begun to add a passkey and may remove their other one. */
  const beginPasskeyChanges = async (email: string) => {
    const { TestAuthenticator } = await import("../../support/authenticator");
    const { token, user, authenticator } = await both[0].signUp(email, { kyc: false });
    const { body } = await both[0].api("POST", "/api/auth/passkey/register", { token, body: { identifier: email } });
    const attestation = new TestAuthenticator("http://localhost:3000").create(body.options);
    const readPasskeys = () => both[0].ctx.db.select().from(passkeys).where(eq(passkeys.accountId, user.id));
    const [{ id } = { id: "" }] = await readPasskeys();
    const registration = { identifier: email, challenge_id: body.challenge_id, attestation };
    return {
      accountId: user.id,
      authenticator,
      readPasskeys,
      add: () => both[0].api("POST", "/api/auth/passkey/register/verify", { token, body: registration }),
      remove: () => both[0].api("DELETE", `/api/users/me/passkeys/${id}`, { token }),
    };
  };
  const changes = ["add", "remove"] as const;

  it.each(changes)("T27 a session that ends at this moment cannot %s a passkey", async (change) => {
    const customer = await beginPasskeyChanges(`ended-${change}@example.org`);
    const response = await responseAfter(
      (tx) => revokeAccountSessions(tx, customer.accountId, new Date()),
      () => customer[change](),
    );
    expect(response?.status).toBe(401);
    expect(await customer.readPasskeys()).toHaveLength(1);
  });

  it.each(changes)("T64 an account that is blocked at this moment cannot %s a passkey", async (change) => {
    const customer = await beginPasskeyChanges(`blocked-${change}@example.org`);
    const response = await responseAfter(
      (tx) => block(tx, customer.accountId),
      () => customer[change](),
    );
    expect(response?.status).toBe(403);
    expect(await customer.readPasskeys()).toHaveLength(1);
  });

  it("T27 signing out all others also ends the session that a new passkey is opening", async () => {
    const customer = await beginPasskeyChanges("opening@example.org");
    const own = await both[1].signInByPasskey(customer.authenticator);
    let responses: Promise<ApiResponse>[] = [];
    await whileHolding(
      (tx) => tx.select().from(accounts).where(eq(accounts.id, customer.accountId)).for("update"),
      async () => {
        responses = [customer.add()];
        await untilBlocked(both[1].ctx.db);
        responses.push(both[1].api("DELETE", "/api/users/me/sessions", { token: own.body.access_token }));
        await untilBlocked(both[1].ctx.db, 2);
      },
    );
    const [added, ended] = await Promise.all(responses);
    expect([added?.status, ended?.status]).toEqual([200, 204]);
    expect((await both[0].api("GET", "/api/users/me", { token: added?.body.access_token })).status).toBe(401);
  });

  it("T73 T66 deletes an account once if that is requested twice at once, and locks it before its session", async () => {
    const { token, user } = await both[0].signUp();
    const remove = (exchange: TestExchange) =>
      exchange.api("POST", "/api/users/me/deletion", { token, body: { confirm: "delete my account" } });
    let responses: Promise<ApiResponse>[] = [];
    await whileHolding(
      (tx) => tx.select().from(accounts).where(eq(accounts.id, user.id)).for("update"),
      async () => {
        responses = both.map(remove);
        await untilBlocked(both[1].ctx.db, 2);
        const own = both[1].ctx.db.select().from(sessions).where(eq(sessions.accountId, user.id));
        expect(await own.for("update", { noWait: true }), "no request holds a session").not.toEqual([]);
      },
    );
    expect(statuses(await Promise.all(responses)).toSorted()).toEqual([204, 401]);
  });

  it("T73 a code that is redeemed while an account is deleted opens a new account for its address", async () => {
    const email = "deleted-meanwhile@example.org";
    const { token, id } = await squat(email);
    const { challengeId, code } = await both[1].requestCode(email);
    let responses: Promise<ApiResponse>[] = [];
    await whileHolding(
      (tx) => tx.select().from(accounts).where(eq(accounts.id, id)).for("update"),
      async () => {
        const confirmed = { token, body: { confirm: "delete my account" } };
        responses = [both[0].api("POST", "/api/users/me/deletion", confirmed)];
        await untilBlocked(both[1].ctx.db);
        const body = { credentials: { challenge_id: challengeId, auth_data: { code } } };
        responses.push(both[1].api("POST", "/api/auth", { body }));
        await untilBlocked(both[1].ctx.db, 2);
      },
    );
    const [deleted, signedIn] = await Promise.all(responses);
    expect([deleted?.status, signedIn?.status]).toEqual([204, 200]);
    const me = await both[0].api("GET", "/api/users/me", { token: signedIn?.body.access_token });
    expect(me.body).toMatchObject({ email, email_verified: true });
    expect(me.body.id).not.toBe(id);
  });

  it("T73 stores no price alert for an account that is deleted while the request waits", async () => {
    const { token, user } = await both[0].signUp();
    let adding: Promise<ApiResponse> | undefined;
    await whileHolding(
      (tx) => lockFor(tx, `price_alerts:${user.id}`),
      async () => {
        adding = both[0].api("POST", "/api/users/me/price-alerts", { token, body: { direction: "above", rate: "9" } });
        await untilBlocked(both[1].ctx.db);
        const body = { confirm: "delete my account" };
        expect((await both[1].api("POST", "/api/users/me/deletion", { token, body })).status).toBe(204);
      },
    );
    expect((await adding)?.status).toBe(401);
    expect(await both[0].ctx.db.select().from(priceAlerts)).toEqual([]);
  });

  it("T73 deletes no account for a request whose session has been ended since it arrived", async () => {
    const { ctx, api, signUp } = both[0];
    const { token, user } = await signUp();
    const caller = await findCaller(ctx, token);
    if (!caller) throw new Error("the customer is signed in");
    expect((await api("POST", "/api/auth/logout", { token })).status).toBe(204);
    await expect(deleteAccount(ctx, caller, { confirm: "delete my account" })).rejects.toMatchObject({
      code: "token_expired",
    });
    const [account] = await ctx.db.select().from(accounts).where(eq(accounts.id, user.id));
    expect(account?.deletedAt).toBeNull();
  });

  it("T64 T73 does not delete an account that is blocked in the meantime", async () => {
    const { token, user } = await both[0].signUp();
    const response = await responseAfter(
      (tx) => block(tx, user.id),
      () => both[0].api("POST", "/api/users/me/deletion", { token, body: { confirm: "delete my account" } }),
    );
    expect(response?.status).toBe(403);
    const [account] = await both[0].ctx.db.select().from(accounts).where(eq(accounts.id, user.id));
    expect(account?.deletedAt).toBeNull();
  });

  it.each([
    ["T64", "blocked", block, 403],
    ["T12", "signed out", (tx: Database, id: string) => revokeAccountSessions(tx, id, new Date()), 401],
  ] as const)(
    "%s does not store an application for verification if the account is %s in the meantime",
    async (_id, _change, change, status) => {
      const { token, user } = await both[0].signUp(undefined, { kyc: false });
      const response = await responseAfter(
        (tx) => change(tx, user.id),
        () => both[0].api("POST", "/api/kyc", { token, body: application }),
      );
      expect(response?.status).toBe(status);
      const stored = both[0].ctx.db.select().from(kycApplications).where(eq(kycApplications.accountId, user.id));
      expect(await stored).toEqual([]);
    },
  );

  it("T25 sends at most three e-mails for 200 parallel requests for a code", async () => {
    const email = "bombed@example.org";
    const body = { auth_method: "email", credentials: { identifier: email } };
    const responses = await inParallel(200, (exchange) => exchange.api("POST", "/api/auth", { body }));
    expect(new Set(statuses(responses))).toEqual(new Set([202]));
    await both[0].requestCode("someone-else@example.org");
    await both[1].requestCode("and-another@example.org");
    // A code that waits is replaced by the next one, so there may be fewer.
    const { length } = await both[0].inbox.list(email);
    expect(length).toBeGreaterThan(0);
    expect(length).toBeLessThanOrEqual(3);
  });

  it("ends the session when 20 requests to sign out arrive in parallel", async () => {
    const { token } = await both[0].signUp("out@example.org", { kyc: false });
    const responses = await inParallel(20, (exchange) => exchange.api("POST", "/api/auth/logout", { token }));
    // Requests that arrive after the session has ended are no longer signed in, and get 401.
    expect([...new Set(statuses(responses))].filter((status) => status !== 401)).toEqual([204]);
    expect((await both[1].api("GET", "/api/users/me", { token })).status).toBe(401);
  });

  it("refuses one of two parallel removals of the last two passkeys", async () => {
    const email = "two-passkeys@example.org";
    const first = await both[0].register(email);
    const second = await both[0].register(email, { token: first.body.access_token });
    const token = second.body.access_token;
    const { items } = (await both[0].api("GET", "/api/users/me/passkeys", { token })).body;
    const responses = await inParallel(2, (exchange, i) =>
      exchange.api("DELETE", `/api/users/me/passkeys/${items[i].id}`, { token }),
    );
    expect(statuses(responses).sort()).toEqual([204, 409]);
  });
});
