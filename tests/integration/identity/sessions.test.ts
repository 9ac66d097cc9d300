import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { forgetExpired } from "../../../app/exchange.server/accounts/forget";
import { refreshSession } from "../../../app/exchange.server/accounts/sessions";
import { accessTokens, accounts, sessions } from "../../../app/exchange.server/accounts/tables";
import { settleOutbox } from "../../../app/exchange.server/mail/outbox";
import { createTestExchange, type TestExchange } from "../../support/exchange";
import { testDatabases } from "../../support/test-database";

const minuteMs = 60_000;

describe.each(testDatabases)("tokens and sessions, on %s", (database) => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await createTestExchange({ database });
  });
  afterAll(() => exchange.close());

  const me = (token: string) => exchange.api("GET", "/api/users/me", { token });
  const refresh = (refresh_token: string) => exchange.api("POST", "/api/auth/refresh", { body: { refresh_token } });
  const newcomer = () => exchange.signUp(undefined, { kyc: false });

  it("C01 T34 a caller is known by X-Auth-Token alone: no cookie, no bearer, no query", async () => {
    const { token } = await newcomer();
    expect((await me(token)).status).toBe(200);
    const elsewhere: Record<string, string>[] = [
      { Cookie: `token=${token}; X-Auth-Token=${token}` },
      { Authorization: `Bearer ${token}` },
    ];
    for (const headers of elsewhere) {
      const answer = await exchange.api("GET", "/api/users/me", { headers });
      expect(answer.status).toBe(401);
      expect(answer.body.detail.code).toBe("token_missing");
    }
    expect((await exchange.api("GET", `/api/users/me?token=${token}&X-Auth-Token=${token}`)).status).toBe(401);
  });

  it("T34 only the hash of an access token is kept, and no refresh token at all", async () => {
    const { token, refreshToken } = await newcomer();
    const rows = JSON.stringify([
      await exchange.x.db.select().from(accessTokens),
      await exchange.x.db.select().from(sessions),
    ]);
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(refreshToken);
    expect(rows).not.toContain(refreshToken.split(".")[2]);
  });

  it("E01 an access token lives 15 minutes, then reads `Token expired`, and C07 brings the next one at the same level", async () => {
    const { token, refreshToken } = await newcomer();
    exchange.advance(15 * minuteMs - 5_000);
    expect((await me(token)).status).toBe(200);
    exchange.advance(6_000);
    const dead = await me(token);
    expect(dead.status).toBe(401);
    expect(dead.body.detail.message).toBe("Token expired");
    const next = await refresh(refreshToken);
    expect(next.status).toBe(200);
    expect((await me(next.body.access_token)).body.passkey_authenticated).toBe(true);
  });

  it("T30 the predecessor gets the very same successor for 10 s", async () => {
    const { refreshToken } = await newcomer();
    const first = await refresh(refreshToken);
    exchange.advance(9_000);
    const again = await refresh(refreshToken);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect((await refresh(first.body.refresh_token)).status).toBe(200);
  });

  it("T30 S06 anything older ends the whole family and tells its owner", async () => {
    const { email, refreshToken } = await newcomer();
    const first = await refresh(refreshToken);
    const second = await refresh(first.body.refresh_token);
    expect((await refresh(refreshToken)).status, "two generations old").toBe(401);
    expect((await me(second.body.access_token)).status).toBe(401);
    expect((await refresh(second.body.refresh_token)).status).toBe(401);
    await settleOutbox(exchange.x);
    expect((await exchange.inbox.list(email))[0]?.subject).toBe("We signed out one of your devices");
  });

  it("T30 the predecessor after its grace is a reuse too", async () => {
    const { refreshToken } = await newcomer();
    const first = await refresh(refreshToken);
    exchange.advance(11_000);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect((await me(first.body.access_token)).status).toBe(401);
  });

  it("T30 a refresh that dies before its commit leaves the token as it was", async () => {
    const { refreshToken } = await newcomer();
    const { db } = exchange.x;
    const dying = new Proxy(db, {
      get(target, property) {
        if (property !== "transaction") return Reflect.get(target, property);
        return (work: (tx: typeof db) => Promise<unknown>) =>
          target.transaction(async (tx) => {
            await work(tx as unknown as typeof db);
            throw new Error("killed");
          });
      },
    });
    await expect(refreshSession({ ...exchange.x, db: dying }, refreshToken)).rejects.toThrow("killed");
    exchange.advance(60_000);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  it("C07 a made-up, changed or foreign refresh token is 401", async () => {
    const { refreshToken, token } = await newcomer();
    const [head, generation, mac] = refreshToken.split(".");
    const wrong = [
      "x",
      token,
      `${head}.${Number(generation) + 1}.${mac}`,
      `${head}.${generation}.${mac?.replace(/./, "_")}`,
    ];
    for (const refresh_token of wrong) {
      const answer = await refresh(refresh_token);
      expect(answer.status).toBe(401);
      expect(answer.body.detail.code).toBe("refresh_invalid");
    }
    expect((await refresh(refreshToken)).status, "and ends no family").toBe(200);
  });

  it("T32 a session ends after 30 idle minutes, and after 12 hours however busy", async () => {
    const idle = await newcomer();
    exchange.advance(30 * minuteMs + 1_000);
    expect((await refresh(idle.refreshToken)).status).toBe(401);

    let { refreshToken } = await newcomer();
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      exchange.advance(20 * minuteMs);
      const next = await refresh(refreshToken);
      expect(next.status, `${minutes} minutes`).toBe(200);
      refreshToken = next.body.refresh_token;
    }
    exchange.advance(20 * minuteMs + 1_000);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it("logging out ends the family: its access token and its refresh token", async () => {
    const { token, refreshToken } = await newcomer();
    expect((await exchange.api("POST", "/api/auth/logout", { token })).status).toBe(204);
    expect((await me(token)).status).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  it("lists sessions by pages, ends one, ends all others, and never other people's", async () => {
    const { authenticator, token } = await newcomer();
    const stranger = await newcomer();
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

  it("C02 an inactive account reads that it is; a blocked one is 403 everywhere", async () => {
    const { token, user, authenticator, email } = await newcomer();
    await exchange.x.db.update(accounts).set({ isActive: false }).where(eq(accounts.id, user.id));
    expect((await me(token)).body.is_active).toBe(false);
    await exchange.x.db.update(accounts).set({ blockedAt: new Date() }).where(eq(accounts.id, user.id));
    const blocked = await me(token);
    expect(blocked.status).toBe(403);
    expect(blocked.body.detail.message).toBe("Unauthorized");
    expect((await exchange.signInByPasskey(authenticator)).status).toBe(403);
    expect((await exchange.signInByCode(email)).status).toBe(403);
  });

  it("forgets what time has made worthless, and nothing else", async () => {
    const { token, refreshToken } = await newcomer();
    await forgetExpired(exchange.x);
    expect((await me(token)).status).toBe(200);
    exchange.advance(16 * minuteMs);
    await forgetExpired(exchange.x);
    expect(await exchange.x.db.select().from(accessTokens)).toEqual([]);
    expect((await refresh(refreshToken)).status).toBe(200);
    exchange.advance(13 * 60 * minuteMs);
    await forgetExpired(exchange.x);
    expect(await exchange.x.db.select().from(sessions)).toEqual([]);
  });
});
