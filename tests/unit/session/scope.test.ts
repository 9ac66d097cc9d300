import { beforeEach, describe, expect, it } from "vitest";
import { getUser } from "~/session/guards.server";
import { redirectTo, replaceWith } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { args, fakeExchange, makeUser, readSession, refusal, sessionCookie } from "../../support/site";

const me = "GET /api/users/me";
const refresh = "POST /api/auth/refresh";

/** An exchange whose access-1 has expired and whose refresh-1 gives access-2, after `refusals` calls were refused. */
function expiredTokens(
  renewed: Record<string, unknown> = { access_token: "access-2", refresh_token: "refresh-2" },
  refusals = 1,
) {
  let refused = 0;
  let release = () => {};
  const allRefused = new Promise<void>((resolve) => {
    release = resolve;
  });
  const guarded = (request: Request, body: unknown) => {
    if (request.headers.get("X-Auth-Token") === "access-2") return Response.json(body);
    refused += 1;
    if (refused === refusals) release();
    return refusal(401, "token_expired", "Token expired");
  };
  return fakeExchange({
    [me]: (request) => guarded(request, makeUser()),
    "GET /api/kyc": (request) => guarded(request, { status: "approved", reasons: [], updated_at: null }),
    [refresh]: async () => {
      await allRefused;
      return Response.json(renewed);
    },
  });
}

describe("the session of one request", () => {
  let cookie = "";
  beforeEach(async () => {
    cookie = await sessionCookie();
  });

  it("S05 refreshes once for all parallel loaders after a 401, and repeats each call", async () => {
    // The user is fetched once, and /api/kyc by every loader.
    const exchange = expiredTokens(undefined, 21);
    const request = args("/swap", { cookie });
    const scope = await getScope(request);
    const results = await Promise.all([
      ...Array.from({ length: 20 }, () => getUser({ ...request, request: request.request.clone() })),
      ...Array.from({ length: 20 }, () => scope.api.getKyc()),
    ]);
    expect(results.every((result) => result !== null)).toBe(true);
    expect(exchange.count(refresh)).toBe(1);
    expect(exchange.count(me)).toBe(2);
    const headers = new Headers();
    scope.writeCookies(headers);
    expect(await readSession(headers)).toEqual({ access: "access-2", refresh: "refresh-2", passkey: true });
  });

  it("T4 ignores a session cookie that is unsigned or signed with another key", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser()) });
    const payload = Buffer.from(JSON.stringify({ access: "a", refresh: "r", passkey: true })).toString("base64");
    const [, signature = ""] = decodeURIComponent(cookie.split("=")[1] ?? "").split(".");
    for (const value of [payload, `${payload}.`, `${payload}.${signature}`, `${payload}.AAAA`]) {
      const scope = await getScope(args("/swap", { cookie: `session=${encodeURIComponent(value)}` }));
      expect([value, scope.isSignedIn]).toEqual([value, false]);
    }
  });

  it("S05 stores a new refresh token only if there is one", async () => {
    expiredTokens({ access_token: "access-2" });
    const request = args("/swap", { cookie });
    await getUser(request);
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    expect(await readSession(headers)).toEqual({ access: "access-2", refresh: "refresh-1", passkey: true });
  });

  it("S05 sends the new tokens on a redirect that was created before the refresh finished", async () => {
    expiredTokens();
    const request = args("/swap", { cookie });
    const early = await replaceWith(request, "/login");
    expect(await readSession(early.headers)).toBeUndefined();
    await getUser(request);
    expect(await readSession(early.headers)).toMatchObject({ access: "access-2" });
    expect(early.headers.getSetCookie()).toHaveLength(1);
    expect(early.headers.get("Cache-Control")).toBe("private, no-store");
  });

  it.each([
    ["the refresh token is refused", { refresh: "refresh-1" }, 401],
    ["the server says 400", { refresh: "refresh-1" }, 400],
    ["there is no refresh token", { refresh: null }, 401],
  ])("S06 signs out and clears token and passkey flag if %s", async (_name, session, status) => {
    const exchange = fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => refusal(status, "refresh_invalid", "Token expired"),
    });
    const request = args("/swap", { cookie: await sessionCookie(session) });
    expect(await getUser(request)).toBeNull();
    const scope = await getScope(request);
    expect([scope.isSignedIn, scope.isPasskeyAuthenticated]).toEqual([false, false]);
    const response = await redirectTo(request, "/login");
    expect(await readSession(response.headers)).toBeNull();
    expect(response.headers.getSetCookie()[0]).toMatch(/Max-Age=0/);
    expect(exchange.count(refresh)).toBe(session.refresh === null ? 0 : 1);
  });

  it("S06 stays signed in if the exchange is unreachable, and throws the error", async () => {
    fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => refusal(503, "starting", "Starting"),
    });
    const request = args("/swap", { cookie });
    await expect(getUser(request)).rejects.toMatchObject({ init: { status: 503 } });
    expect((await getScope(request)).isSignedIn).toBe(true);
  });

  it("S08 a 403 clears the user and keeps the session", async () => {
    fakeExchange({ [me]: () => refusal(403, "user_blocked", "Unauthorized") });
    const request = args("/swap", { cookie });
    expect(await getUser(request)).toBeNull();
    expect((await getScope(request)).isPasskeyAuthenticated).toBe(true);
  });

  it("S08 a 401 that persists after a refresh signs out", async () => {
    fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => Response.json({ access_token: "access-2" }),
    });
    const request = args("/swap", { cookie });
    expect(await getUser(request)).toBeNull();
    expect((await getScope(request)).isSignedIn).toBe(false);
  });

  it("S04 S08 does not fetch the user without the passkey flag", async () => {
    const exchange = fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false })) });
    const request = args("/swap", { cookie: await sessionCookie({ passkey: false }) });
    expect(await getUser(request)).toBeNull();
    expect(exchange.calls).toEqual([]);
    expect((await (await getScope(request)).getAccount())?.email).toBe("ada@example.org");
  });

  it("S08 clears the passkey flag if the exchange says that the token has none", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false })) });
    const request = args("/swap", { cookie });
    expect(await getUser(request)).toBeNull();
    expect((await getScope(request)).isPasskeyAuthenticated).toBe(false);
  });

  it("T5 ignores a cookie with a wrong signature", async () => {
    const exchange = fakeExchange({});
    const request = args("/swap", { cookie: `${cookie.slice(0, -6)}AAAAAA` });
    expect((await getScope(request)).isSignedIn).toBe(false);
    expect(await getUser(request)).toBeNull();
    expect(exchange.calls).toEqual([]);
  });

  it("T5 sets the session cookie HttpOnly and Lax, for the whole site, without a domain", async () => {
    fakeExchange({});
    const request = args("/login");
    const scope = await getScope(request);
    await scope.signIn({ access_token: "a", refresh_token: "r" }, true);
    const headers = new Headers();
    scope.writeCookies(headers);
    const line = headers.getSetCookie()[0] ?? "";
    expect(line).toMatch(/^session=[^;]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it("C01 T6 neither refreshes nor signs out after a wrong code", async () => {
    const exchange = fakeExchange({ "POST /api/auth": () => refusal(401, "code_wrong", "No.") });
    const request = args("/kyc", { cookie });
    const scope = await getScope(request);
    await expect(scope.api.completeEmailSignIn("c", "123456")).rejects.toMatchObject({ status: 401 });
    expect(exchange.count(refresh)).toBe(0);
    expect(scope.isSignedIn).toBe(true);
    expect(exchange.calls[0]?.token).toBe("access-1");
  });
});
