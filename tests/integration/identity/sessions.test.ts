import { and, eq, isNull, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { revokeOtherSessions } from "~/exchange.server/accounts/end-sessions";
import { findCaller } from "~/exchange.server/accounts/find-caller";
import { purgeExpired } from "~/exchange.server/accounts/purge-expired";
import { refreshSession } from "~/exchange.server/accounts/refresh-session";
import { maxSessions } from "~/exchange.server/accounts/sessions";
import { hashAccessToken } from "~/exchange.server/accounts/tokens";
import { accessTokens, accounts, sessions } from "~/exchange.server/db/schema/accounts";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { countStatements } from "../../support/count-statements";
import { createTestExchange } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { testDatabases } from "../../support/test-database";

const minuteMs = 60_000;

describe.each(testDatabases)("tokens and sessions, on %s", (database) => {
  const exchange = forAllTests(() => createTestExchange({ database }));

  const me = (token: string) => exchange.api("GET", "/api/users/me", { token });
  const refresh = (refresh_token: string) => exchange.api("POST", "/api/auth/refresh", { body: { refresh_token } });
  const signUp = () => exchange.signUp(undefined, { kyc: false });

  it("C01 T34 accepts a token only in X-Auth-Token: not in a cookie, a bearer header or the query", async () => {
    const { token } = await signUp();
    expect((await me(token)).status).toBe(200);
    const otherHeaders: Record<string, string>[] = [
      { Cookie: `token=${token}; X-Auth-Token=${token}` },
      { Authorization: `Bearer ${token}` },
    ];
    for (const headers of otherHeaders) {
      const response = await exchange.api("GET", "/api/users/me", { headers });
      expect(response.status).toBe(401);
      expect(response.body.detail.code).toBe("token_missing");
    }
    expect((await exchange.api("GET", `/api/users/me?token=${token}&X-Auth-Token=${token}`)).status).toBe(401);
  });

  it("T12 T31 lets an owner end a session even if a thief uses up the account's writes with it", async () => {
    const limits = { ...exchange.ctx.config.limits, writesPerAccountPerMinute: 12 };
    const limited = await createTestExchange({ database: exchange.database, config: { limits } });
    const owner = await limited.signUp("robbed@example.org", { kyc: false });
    const address = { type: "ETH", address: `0x${"5".repeat(40)}` };
    const saved = await limited.api("POST", "/api/swap/delivery-addresses", { token: owner.token, body: address });
    const device = await limited.signInByPasskey(owner.authenticator);
    const stolen = (await limited.signInByPasskey(owner.authenticator)).body.access_token;
    for (const [method, path] of [
      ["POST", "/api/nothing"],
      ["POST", "/api/auth"],
      ["DELETE", "/api/nothing"],
      ["POST", "/api/swap/swaps/none/decision"],
    ] as const) {
      for (let i = 0; i < 12; i += 1) await limited.api(method, path, { token: stolen });
      expect((await limited.api(method, path, { token: stolen })).status).toBe(429);
    }
    const rename = { token: owner.token, body: { name: "x" } };
    expect((await limited.api("PATCH", "/api/users/me/passkeys/x", rename)).status).toBe(429);

    const call = async (method: string, path: string, token: string) =>
      (await limited.api(method, path, { token })).status;
    expect(await call("DELETE", `/api/swap/delivery-addresses/${saved.body.id}`, owner.token)).toBe(204);
    expect(await call("DELETE", "/api/users/me/passkeys/none", owner.token)).toBe(404);
    const refund = { token: owner.token, body: { choice: "refund" } };
    expect((await limited.api("POST", "/api/swap/swaps/none/decision", refund)).status).toBe(404);
    expect(await call("POST", "/api/swap/swaps/none/cancel", owner.token)).toBe(404);
    expect(await call("POST", "/api/auth/logout", device.body.access_token)).toBe(204);
    expect((await limited.requestCode(owner.email, owner.token)).code).toMatch(/^[0-9]{6}$/);
    expect(await call("DELETE", "/api/users/me/sessions", owner.token)).toBe(204);
    expect(await call("GET", "/api/users/me", stolen)).toBe(401);
    const recovery = await limited.signInByCode(owner.email);
    expect((await limited.register(owner.email, { token: recovery.body.access_token })).status).toBe(200);
    expect(await call("GET", "/api/users/me", owner.token)).toBe(401);
  });

  it("T34 gives each of several tokens that are looked up together its own caller, or none", async () => {
    const [first, second, ended] = [await signUp(), await signUp(), await signUp()];
    await exchange.api("POST", "/api/auth/logout", { token: ended.token });
    const tokens = [second.token, "unknown", ended.token, first.token, second.token];
    const responses = await Promise.all(tokens.map(me));
    expect(responses.map(({ status, body }) => (status === 200 ? body.email : status))).toEqual([
      second.email,
      401,
      401,
      first.email,
      second.email,
    ]);
  });

  it("T34 stores only the hash of an access token, and never a refresh token", async () => {
    const { token, refreshToken } = await signUp();
    const stored = await exchange.ctx.db.select().from(accessTokens);
    const hash = hashAccessToken(token);
    expect(stored).toContainEqual(expect.objectContaining({ hash }));
    const owned = await exchange.ctx.db.select().from(sessions);
    expect(owned.map(({ id }) => id)).toContain(stored.find((row) => row.hash === hash)?.sessionId);
    const rows = JSON.stringify([stored, owned]);
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(refreshToken);
    expect(rows).not.toContain(refreshToken.split(".")[2]);
  });

  it("E01 an access token is valid for 15 minutes, then gives `Token expired`; C07 returns the next one at the same level", async () => {
    const { token, refreshToken } = await signUp();
    exchange.advance(14 * minuteMs);
    expect((await me(token)).status).toBe(200);
    exchange.advance(minuteMs);
    const expired = await me(token);
    expect(expired.status).toBe(401);
    expect(expired.body.detail.message).toBe("Token expired");
    const next = await refresh(refreshToken);
    expect(next.status).toBe(200);
    expect((await me(next.body.access_token)).body.passkey_authenticated).toBe(true);
  });

  it("T30 the previous refresh token returns the same successor for 10 s", async () => {
    const { refreshToken } = await signUp();
    const first = await refresh(refreshToken);
    exchange.advance(5_000);
    const again = await refresh(refreshToken);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
  });

  it("T30 S06 an older refresh token ends the session and sends an e-mail", async () => {
    const { email, refreshToken } = await signUp();
    const first = await refresh(refreshToken);
    const second = await refresh(first.body.refresh_token);
    expect((await refresh(refreshToken)).status, "two generations old").toBe(401);
    expect((await me(second.body.access_token)).status).toBe(401);
    expect((await refresh(second.body.refresh_token)).status).toBe(401);
    await sendOutbox(exchange.ctx);
    expect((await exchange.inbox.list(email))[0]?.subject).toBe("We signed out one of your devices");
  });

  it("T30 the previous refresh token ends the session after 10 s", async () => {
    const { refreshToken } = await signUp();
    const first = await refresh(refreshToken);
    exchange.advance(11_000);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await me(first.body.access_token)).status).toBe(401);
  });

  it("T30 a refresh that fails before its commit leaves the token valid", async () => {
    const { refreshToken } = await signUp();
    const { db } = exchange.ctx;
    const failing = new Proxy(db, {
      get(target, property) {
        if (property !== "transaction") return Reflect.get(target, property);
        return (work: (tx: typeof db) => Promise<unknown>) =>
          target.transaction(async (tx) => {
            await work(tx as unknown as typeof db);
            throw new Error("killed");
          });
      },
    });
    await expect(refreshSession({ ...exchange.ctx, db: failing }, refreshToken)).rejects.toThrow("killed");
    exchange.advance(60_000);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it("C07 refuses a made-up or altered refresh token, and an access token, with 401", async () => {
    const { refreshToken, token } = await signUp();
    const [head, generation, mac] = refreshToken.split(".");
    const wrong = [
      "x",
      token,
      `${head}.${Number(generation) + 1}.${mac}`,
      `${head}.${generation}.${mac?.replace(/./, (first) => (first === "_" ? "A" : "_"))}`,
    ];
    for (const refresh_token of wrong) {
      const response = await refresh(refresh_token);
      expect(response.status).toBe(401);
      expect(response.body.detail.code).toBe("refresh_invalid");
    }
    expect((await refresh(refreshToken)).status, "the session stays active").toBe(200);
  });

  it("T32 a session ends after 30 idle minutes, and after 12 hours of use", async () => {
    const idle = await signUp();
    exchange.advance(30 * minuteMs + 1_000);
    expect((await refresh(idle.refreshToken)).status).toBe(401);

    let { refreshToken } = await signUp();
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      exchange.advance(20 * minuteMs);
      const next = await refresh(refreshToken);
      expect(next.status, `${minutes} minutes`).toBe(200);
      refreshToken = next.body.refresh_token;
    }
    exchange.advance(20 * minuteMs + 1_000);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it("T32 a session does not last longer because a code continues it", async () => {
    const customer = await signUp();
    let { refreshToken, token } = customer;
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      exchange.advance(20 * minuteMs);
      const next = (await refresh(refreshToken)).body;
      [refreshToken, token] = [next.refresh_token, next.access_token];
    }
    const continued = await exchange.signInByCode(customer.email, token);
    expect((await me(continued.body.access_token)).body).toMatchObject({ passkey_authenticated: true });
    exchange.advance(20 * minuteMs + 1_000);
    expect((await refresh(continued.body.refresh_token ?? "")).status).toBe(401);
  });

  it("signing out ends the session: its access token and its refresh token", async () => {
    const { token, refreshToken } = await signUp();
    expect((await exchange.api("POST", "/api/auth/logout", { token })).status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it("lists sessions in pages, ends one or all others, and never ends another account's session", async () => {
    const { authenticator, token } = await signUp();
    const stranger = await signUp();
    const second = await exchange.signInByPasskey(authenticator);
    const third = await exchange.signInByPasskey(authenticator);
    const here = third.body.access_token;
    const page = await exchange.api("GET", "/api/users/me/sessions?limit=2", { token: here });
    expect(page.body.items).toHaveLength(2);
    expect(page.body.items[0]).toMatchObject({ current: true, method: "passkey" });
    const rest = await exchange.api("GET", `/api/users/me/sessions?limit=2&cursor=${page.body.next}`, { token: here });
    expect(rest.body).toMatchObject({ items: [{ current: false }, { current: false }], next: null });
    const ids = [...page.body.items, ...rest.body.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);

    const path = `/api/users/me/sessions/${page.body.items[1].id}`;
    expect((await exchange.api("DELETE", path, { token: stranger.token })).status).toBe(404);
    expect((await exchange.api("DELETE", path, { token: here })).status).toBe(204);
    expect((await me(second.body.access_token)).status).toBe(401);
    expect((await exchange.api("DELETE", "/api/users/me/sessions", { token: here })).status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await me(here)).status).toBe(200);
    expect((await exchange.api("GET", "/api/users/me/sessions?cursor=nonsense", { token: here })).status).toBe(422);
  });

  const endOthers = (token: string) => exchange.api("DELETE", "/api/users/me/sessions", { token });
  /** The ids of an account's open sessions, newest first. */
  const listIds = async (token: string): Promise<string[]> =>
    (await exchange.api("GET", "/api/users/me/sessions", { token })).body.items.map(({ id }: { id: string }) => id);
  const endOne = async (token: string, id: string | undefined) => {
    const { status, body } = await exchange.api("DELETE", `/api/users/me/sessions/${id}`, { token });
    return status === 204 ? 204 : `${status} ${body.detail.code}`;
  };

  const subjectsTo = async (email: string) => {
    while ((await sendOutbox(exchange.ctx)) > 0);
    return (await exchange.inbox.list(email)).map(({ subject }) => subject).filter((one) => !one.includes("code"));
  };

  it("T12 tells the owner when other devices are signed out, but not of a device that signs itself out", async () => {
    const owner = await signUp();
    const here = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    const [, other] = await listIds(here);
    expect(await endOne(here, other)).toBe(204);
    expect(await subjectsTo(owner.email)).toEqual(["One of your devices was signed out"]);
    for (let i = 0; i < 2; i += 1) await exchange.signInByPasskey(owner.authenticator);
    expect((await endOthers(here)).status).toBe(204);
    expect((await endOthers(here)).status, "there are no others").toBe(204);
    const both = ["3 of your devices were signed out", "One of your devices was signed out"];
    expect(await subjectsTo(owner.email)).toEqual(both);

    await exchange.signInByPasskey(owner.authenticator);
    exchange.advance(20 * minuteMs);
    const later = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    exchange.advance(11 * minuteMs);
    expect(await listIds(later)).toHaveLength(1);
    expect((await endOthers(later)).status, "they had expired").toBe(204);
    expect(await endOne(later, (await listIds(later))[0])).toBe(204);
    expect(await subjectsTo(owner.email)).toEqual(both);
  });

  it("T12 T25 sends at most five e-mails an hour about devices that were signed out, and ends all of them", async () => {
    const owner = await signUp();
    const here = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    const signOutOthers = async () => {
      const other = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
      expect((await endOthers(here)).status).toBe(204);
      expect((await me(other)).status).toBe(401);
    };
    for (let i = 0; i < 7; i += 1) await signOutOthers();
    expect(await subjectsTo(owner.email)).toHaveLength(5);
  });

  it("T12 T31 a session of an e-mail code ends neither a session of a passkey nor one that began later", async () => {
    const owner = await signUp();
    const earlier = (await exchange.signInByCode(owner.email)).body.access_token;
    exchange.advance(1_000);
    const thief = (await exchange.signInByCode(owner.email)).body.access_token;
    exchange.advance(1_000);
    const recovery = (await exchange.signInByCode(owner.email)).body.access_token;
    const returned = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    expect((await endOthers(thief)).status).toBe(204);
    expect((await me(earlier)).status, "began before it, with a code").toBe(401);
    for (const token of [owner.token, recovery, returned]) expect((await me(token)).status).toBe(200);
    const [newest] = await listIds(returned);
    expect(await endOne(thief, newest)).toBe("403 passkey_required");

    expect((await exchange.register(owner.email, { token: recovery })).status).toBe(200);
    expect((await me(thief)).status, "the recovery ends it").toBe(401);
  });

  it("T12 T31 a stolen session of a passkey ends nothing that began later, and its owner ends it", async () => {
    const owner = await signUp();
    exchange.advance(6 * minuteMs);
    const returned = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    const recovery = (await exchange.signInByCode(owner.email)).body.access_token;
    const ids = await listIds(returned);
    expect((await endOthers(owner.token)).status).toBe(204);
    for (const token of [returned, recovery]) expect((await me(token)).status).toBe(200);
    for (const id of ids.slice(0, 2)) expect(await endOne(owner.token, id)).toBe("403 passkey_too_old");
    expect((await endOthers(returned)).status).toBe(204);
    for (const token of [owner.token, recovery]) expect((await me(token)).status).toBe(401);
  });

  it("T12 any session ends itself, and without a fresh passkey those that began before it", async () => {
    const owner = await signUp();
    const second = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    const byCode = (await exchange.signInByCode(owner.email)).body.access_token;
    const [third] = await listIds(byCode);
    expect(await endOne(byCode, third)).toBe(204);
    expect((await me(byCode)).status).toBe(401);
    exchange.advance(6 * minuteMs);
    expect((await endOthers(second)).status).toBe(204);
    expect((await me(owner.token)).status).toBe(401);
    expect((await me(second)).status).toBe(200);
  });

  it("T12 a session that has ended in the meantime ends no other", async () => {
    const owner = await signUp();
    const returned = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    const stolen = await findCaller(exchange.ctx, owner.token);
    expect((await endOthers(returned)).status).toBe(204);
    if (!stolen) throw new Error("the token was valid");
    await expect(revokeOtherSessions(exchange.ctx, stolen)).rejects.toMatchObject({ code: "token_expired" });
    expect((await me(returned)).status).toBe(200);
  });

  /** Copies one of the account's sessions, without signing in as often. */
  const copySessions = async (accountId: string, count: number) => {
    const copied = sql`account_id, method, passkey_at, passkey_id, generation, rotated_at, created_at, last_used_at`;
    await exchange.ctx.db.execute(sql`
      insert into sessions (id, ${copied})
      select account_id || '-' || n, ${copied} from generate_series(1, ${count}::int) n
        cross join (select * from sessions where account_id = ${accountId} and revoked_at is null
          order by created_at limit 1) one`);
  };
  const countSessions = async (accountId: string) => {
    const { db } = exchange.ctx;
    const isOwn = eq(sessions.accountId, accountId);
    return {
      open: await db.$count(sessions, and(isOwn, isNull(sessions.revokedAt))),
      all: await db.$count(sessions, isOwn),
    };
  };

  it("T12 T27 ends any number of sessions: a stranger cannot keep the owner of an address out", async () => {
    const email = "flooded@example.org";
    const { body } = await exchange.register(email);
    const accountId = (await me(body.access_token)).body.id as string;
    await copySessions(accountId, 2 * maxSessions.ended);
    const counted = countStatements(exchange.ctx);
    const database = { ...exchange.database, db: counted.ctx.db };
    const counting = await createTestExchange({ database, clock: exchange.ctx.clock });
    expect((await counting.signInByCode(email)).status).toBe(200);
    // A statement has at most 65,535 parameters, so it must not have one for each session.
    expect(counted.mostParameters).toBeLessThan(30);
    expect((await me(body.access_token)).status).toBe(401);
    expect(await countSessions(accountId)).toEqual({ open: 1, all: maxSessions.ended + 1 });
  });

  it("T12 ends the session that was not used for the longest time when an account opens too many", async () => {
    const owner = await signUp();
    await exchange.ctx.db.delete(sessions).where(sql`account_id = ${owner.user.id} and revoked_at is not null`);
    const used = (await exchange.signInByPasskey(owner.authenticator)).body.access_token;
    const { open } = await countSessions(owner.user.id);
    await copySessions(owner.user.id, maxSessions.perMethod - open);
    const byCode = (await exchange.signInByCode(owner.email)).body.access_token;
    exchange.advance(2 * minuteMs);
    // Only this session is used.
    expect((await me(used)).status).toBe(200);
    const tokens = [];
    for (let i = 0; i < 3; i += 1) tokens.push((await exchange.signInByPasskey(owner.authenticator)).body.access_token);
    const most = maxSessions.perMethod + 1;
    expect(await countSessions(owner.user.id)).toEqual({ open: most, all: most + 3 });
    for (const token of [used, byCode, ...tokens]) expect((await me(token)).status).toBe(200);
    const page = await exchange.api("GET", "/api/users/me/sessions?limit=100", { token: used });
    expect([page.body.items.length, page.body.next]).toEqual([most, null]);
  });

  it("C02 reports an inactive account, and refuses a blocked one with 403 everywhere", async () => {
    const { token, user, authenticator, email } = await signUp();
    await exchange.ctx.db.update(accounts).set({ isActive: false }).where(eq(accounts.id, user.id));
    expect((await me(token)).body.is_active).toBe(false);
    await exchange.ctx.db.update(accounts).set({ blockedAt: new Date() }).where(eq(accounts.id, user.id));
    const blocked = await me(token);
    expect(blocked.status).toBe(403);
    expect(blocked.body.detail.message).toBe("Unauthorized");
    expect((await exchange.signInByPasskey(authenticator)).status).toBe(403);
    expect((await exchange.signInByCode(email)).status).toBe(403);
  });

  it("purges expired tokens and sessions, and nothing else", async () => {
    const { token, refreshToken } = await signUp();
    await purgeExpired(exchange.ctx);
    expect((await me(token)).status).toBe(200);
    exchange.advance(16 * minuteMs);
    await purgeExpired(exchange.ctx);
    expect(await exchange.ctx.db.select().from(accessTokens)).toEqual([]);
    expect((await refresh(refreshToken)).status).toBe(200);
    exchange.advance(13 * 60 * minuteMs);
    await purgeExpired(exchange.ctx);
    expect(await exchange.ctx.db.select().from(sessions)).toEqual([]);
  });
});
