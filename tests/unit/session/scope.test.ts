import type { AppLoadContext } from "@remix-run/node";
import { beforeEach, describe, expect, it } from "vitest";
import { getPasskeyUser } from "~/session/guards.server";
import { redirectTo, replaceWith } from "~/session/responses.server";
import { findScope, getScope } from "~/session/scope.server";
import { deferred } from "../../support/deferred";
import { args, fakeExchange, makeUser, readSession, refusal, sessionCookie } from "../../support/site";

const me = "GET /api/users/me";
const refresh = "POST /api/auth/refresh";

/** An exchange whose access-1 has expired and whose refresh-1 gives access-2, after `refusals` calls were refused. */
function expiredTokens(
  renewed: Record<string, unknown> = { access_token: "access-2", refresh_token: "refresh-2" },
  refusals = 1,
) {
  let refused = 0;
  const allRefused = deferred();
  const guarded = (request: Request, body: unknown) => {
    if (request.headers.get("X-Auth-Token") === "access-2") return Response.json(body);
    refused += 1;
    if (refused === refusals) allRefused.resolve();
    return refusal(401, "token_expired", "Token expired");
  };
  return fakeExchange({
    [me]: (request) => guarded(request, makeUser()),
    "GET /api/kyc": (request) => guarded(request, { status: "approved", reasons: [], updated_at: null }),
    [refresh]: async () => {
      await allRefused.promise;
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
      ...Array.from({ length: 20 }, () => getPasskeyUser({ ...request, request: request.request.clone() })),
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

  it.each([
    ["page", undefined, 0],
    ["form", { intent: "x" }, 1],
  ])("S05 is renewed for a %s that the visitor has left only if it changes something", async (_, form, refreshes) => {
    const visitor = new AbortController();
    const exchange = fakeExchange({
      [me]: (request) => {
        if (request.headers.get("X-Auth-Token") === "access-2") return Response.json(makeUser());
        visitor.abort();
        return refusal(401, "token_expired", "Token expired");
      },
      [refresh]: () => Response.json({ access_token: "access-2", refresh_token: "refresh-2" }),
    });
    const wanted = args("/swap", { cookie, ...(form && { form }) });
    const request = new Request(wanted.request, { signal: visitor.signal });
    const scope = await getScope({ ...wanted, request });
    await scope.getUser().catch(() => null);
    expect(exchange.count(refresh)).toBe(refreshes);
    const headers = new Headers();
    scope.writeCookies(headers);
    const renewed = { access: "access-2", refresh: "refresh-2", passkey: true };
    expect(await readSession(headers)).toEqual(refreshes === 0 ? undefined : renewed);
  });

  it("S05 stores a new refresh token only if there is one", async () => {
    expiredTokens({ access_token: "access-2" });
    const request = args("/swap", { cookie });
    await getPasskeyUser(request);
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    expect(await readSession(headers)).toEqual({ access: "access-2", refresh: "refresh-1", passkey: true });
  });

  it("S05 sends the new tokens on a redirect that was created before the refresh finished", async () => {
    expiredTokens();
    const request = args("/swap", { cookie });
    const early = await replaceWith(request, "/login");
    expect(await readSession(early.headers)).toBeUndefined();
    await getPasskeyUser(request);
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
    expect(await getPasskeyUser(request)).toBeNull();
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
    await expect(getPasskeyUser(request)).rejects.toMatchObject({ init: { status: 503 } });
    expect((await getScope(request)).isSignedIn).toBe(true);
  });

  it("S08 a 403 clears the user and keeps the session", async () => {
    fakeExchange({ [me]: () => refusal(403, "user_blocked", "Unauthorized") });
    const request = args("/swap", { cookie });
    expect(await getPasskeyUser(request)).toBeNull();
    expect((await getScope(request)).isPasskeyAuthenticated).toBe(true);
  });

  it("S08 a 401 that persists after a refresh signs out", async () => {
    fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => Response.json({ access_token: "access-2" }),
    });
    const request = args("/swap", { cookie });
    expect(await getPasskeyUser(request)).toBeNull();
    expect((await getScope(request)).isSignedIn).toBe(false);
  });

  it("S04 S08 does not fetch the user without the passkey flag", async () => {
    const exchange = fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false })) });
    const request = args("/swap", { cookie: await sessionCookie({ passkey: false }) });
    expect(await getPasskeyUser(request)).toBeNull();
    expect(exchange.calls).toEqual([]);
    expect((await (await getScope(request)).getUser())?.email).toBe("ada@example.org");
  });

  it("S08 clears the passkey flag if the exchange says that the token has none", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false })) });
    const request = args("/swap", { cookie });
    expect(await getPasskeyUser(request)).toBeNull();
    expect((await getScope(request)).isPasskeyAuthenticated).toBe(false);
  });

  it("T5 ignores a cookie with a wrong signature", async () => {
    const exchange = fakeExchange({});
    const request = args("/swap", { cookie: `${cookie.slice(0, -6)}AAAAAA` });
    expect((await getScope(request)).isSignedIn).toBe(false);
    expect(await getPasskeyUser(request)).toBeNull();
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
    await expect(scope.api.signInByCode("c", "123456")).rejects.toMatchObject({ status: 401 });
    expect(exchange.count(refresh)).toBe(0);
    expect(scope.isSignedIn).toBe(true);
    expect(exchange.calls[0]?.token).toBe("access-1");
  });

  const cookiesOf = (headers: Headers) => headers.getSetCookie().map((line) => line.replace(/=.*/, ""));

  it("T10 is private with a session, a challenge, an expired session or a new cookie, and otherwise public", async () => {
    fakeExchange({});
    const open = (header?: string) => getScope(args("/login", { cookie: header }));
    expect((await open()).isPrivate).toBe(false);
    expect((await open("hasVisited=true")).isPrivate).toBe(false);
    expect((await open(cookie)).isPrivate).toBe(true);
    expect((await open("expired=true")).isPrivate).toBe(true);
    const visited = await open();
    visited.markVisited();
    expect(visited.isPrivate).toBe(true);
    const request = args("/login");
    const scope = await getScope(request);
    await scope.setChallenge("email", { challengeId: "c", identifier: "ada@example.org" });
    const challenge = (await redirectTo(request, "/login")).headers.getSetCookie()[0]?.split(";", 1)[0];
    const later = await open(challenge);
    expect(later.isPrivate).toBe(true);
    expect(later.getChallenge("email")).toEqual({ challengeId: "c", identifier: "ada@example.org" });
    expect(later.getChallenge("proof")).toBeNull();
  });

  it("T3 stores each kind of challenge in its own cookie, and removes them one by one", async () => {
    fakeExchange({});
    const request = args("/login");
    const scope = await getScope(request);
    await scope.setChallenge("email", null);
    expect((await redirectTo(request, "/login")).headers.getSetCookie()).toEqual([]);
    const pending = { challengeId: "c", identifier: "ada@example.org" };
    await scope.setChallenge("email", pending);
    await scope.setChallenge("proof", pending);
    await scope.setChallenge("email", null);
    expect([scope.getChallenge("email"), scope.getChallenge("proof")]).toEqual([null, pending]);
    const [email, proof] = (await redirectTo(request, "/login")).headers.getSetCookie();
    expect(email).toMatch(/^challenge-email=.*Max-Age=0;.*Expires=Thu, 01 Jan 1970/);
    expect(proof).toMatch(/^challenge-proof=.*Max-Age=600;/);
  });

  it.each(["passkey", "autofill", "registration", "proof"] as const)(
    "T3 a challenge of the kind %s does not change others: its response may arrive after a code was requested",
    async (kind) => {
      fakeExchange({});
      const request = args("/login");
      const scope = await getScope(request);
      const challenge = { challengeId: "a", identifier: "" };
      await scope.setChallenge(kind, challenge);
      expect(scope.isPrivate).toBe(true);
      const { headers } = await redirectTo(request, "/login");
      expect(cookiesOf(headers)).toEqual([`challenge-${kind}`]);
      const [cookie = ""] = (headers.getSetCookie()[0] ?? "").split(";");

      const next = args("/login", { cookie });
      const later = await getScope(next);
      expect([later.getChallenge(kind), later.isPrivate]).toEqual([challenge, kind !== "autofill"]);
      await later.setChallenge("email", { challengeId: "c", identifier: "ada@example.org" });
      expect(cookiesOf((await redirectTo(next, "/login")).headers)).toEqual(["challenge-email"]);
      await later.signIn({ access_token: "access" }, true);
      const lines = (await redirectTo(next, "/swap")).headers.getSetCookie();
      for (const name of [`challenge-${kind}`, "challenge-email"])
        expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${name}=.*Max-Age=0;`)));
    },
  );

  it.each<[string, string, HeadersInit, AppLoadContext]>([
    ["data", "/swap.data", {}, { isDataRequest: true }],
    ["an order's events", "/swap/orders/o1/events", { "Sec-Fetch-Dest": "empty" }, {}],
    ["an older browser's events", "/swap/orders/o1/events", { Accept: "text/event-stream" }, {}],
  ])("E01 a response with %s leaves the session's cookie, which may belong to a newer session", async (...row) => {
    const [_, path, headers, context] = row;
    fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => refusal(401, "refresh_invalid", "Token expired"),
    });
    const cookiesAfter = async (sent: string) => {
      const request = { ...args(path, { cookie: sent, headers }), context: { ...context } };
      expect(await getPasskeyUser(request)).toBeNull();
      expect((await getScope(request)).isSignedIn).toBe(false);
      return cookiesOf((await redirectTo(request, "/login")).headers);
    };
    expect(await cookiesAfter(cookie)).toEqual(["expired"]);
    expect(await cookiesAfter(`${cookie}; expired=true`)).toEqual(["session", "expired"]);
  });

  it.each<[string, HeadersInit]>([
    ["with Fetch Metadata", { "Sec-Fetch-Dest": "document" }],
    ["of an older browser", { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" }],
  ])("E01 a document %s removes the cookie of a session that has ended", async (_, headers) => {
    fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => refusal(401, "refresh_invalid", "Token expired"),
    });
    const request = args("/swap", { cookie, headers });
    expect(await getPasskeyUser(request)).toBeNull();
    expect(cookiesOf((await redirectTo(request, "/login")).headers)).toEqual(["session", "expired"]);
  });

  it("E01 says that a session has expired, in this request and shortly after, until the next sign-in", async () => {
    fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => refusal(401, "refresh_invalid", "Token expired"),
    });
    const request = args("/swap", { cookie, headers: { "Sec-Fetch-Dest": "document" } });
    const scope = await getScope(request);
    expect(scope.hasExpired).toBe(false);
    await getPasskeyUser(request);
    expect(scope.hasExpired).toBe(true);
    const { headers } = await redirectTo(request, "/login");
    expect(cookiesOf(headers)).toEqual(["session", "expired"]);
    const login = args("/login", { cookie: "expired=true" });
    const next = await getScope(login);
    expect(next.hasExpired).toBe(true);
    await next.signIn({ access_token: "access-2" }, true);
    expect(next.hasExpired).toBe(false);
    await next.clearSession();
    expect(next.hasExpired).toBe(false);
    const lines = (await redirectTo(login, "/swap")).headers.getSetCookie();
    expect(lines).toContainEqual(expect.stringMatching(/^expired=true; Max-Age=0;/));
    // With a session, an old cookie says nothing.
    expect((await getScope(args("/swap", { cookie: `expired=true; ${cookie}` }))).hasExpired).toBe(false);
  });

  it("T4 ends the earlier session at the exchange when another one starts, and fetches the new account", async () => {
    let email = "ada@example.org";
    const exchange = fakeExchange({
      [me]: () => Response.json(makeUser({ email })),
      "POST /api/auth/logout": () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => Response.json({ access_token: "access-old", refresh_token: "refresh-old" }),
    });
    const request = args("/login", { cookie });
    const scope = await getScope(request);
    expect((await getPasskeyUser(request))?.email).toBe("ada@example.org");
    email = "grace@example.org";
    await scope.signIn({ access_token: "access-new", refresh_token: "refresh-new" }, true);
    const ended = exchange.calls.filter(({ call }) => call === "POST /api/auth/logout");
    expect(ended.map(({ token }) => token)).toEqual(["access-1", "access-old"]);
    expect((await getPasskeyUser(request))?.email).toBe("grace@example.org");
    const { headers } = await redirectTo(request, "/swap");
    expect(await readSession(headers)).toEqual({ access: "access-new", refresh: "refresh-new", passkey: true });
    expect(exchange.calls.at(-1)?.token).toBe("access-new");
  });

  it("T4 does not end a session at the exchange when there was none", async () => {
    const exchange = fakeExchange({});
    await (await getScope(args("/login"))).signIn({ access_token: "a" }, false);
    expect(exchange.calls).toEqual([]);
  });

  it("S08 keeps the tokens when the exchange removes the passkey flag", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false })) });
    const request = args("/swap", { cookie });
    await getPasskeyUser(request);
    const { headers } = await redirectTo(request, "/login");
    expect(await readSession(headers)).toEqual({ access: "access-1", refresh: "refresh-1", passkey: false });
  });

  it("writes its cookies once to each response, beside other cookies", async () => {
    fakeExchange({});
    const request = args("/swap");
    const scope = await getScope(request);
    const headers = new Headers({ "Set-Cookie": "other=1; Path=/" });
    scope.writeCookies(headers);
    expect([headers.getSetCookie(), headers.get("cache-control")]).toEqual([["other=1; Path=/"], null]);
    scope.markVisited();
    scope.markVisited();
    await scope.clearSession();
    await scope.signIn({ access_token: "a" }, false);
    expect(cookiesOf(headers)).toEqual(["other", "hasVisited", "session"]);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(scope.hasVisited).toBe(true);
  });

  it("is found in the context of a request once a loader has opened it", async () => {
    fakeExchange({});
    const request = args("/swap");
    expect(findScope(request.context)).toBeNull();
    const scope = await getScope(request);
    expect(await findScope(request.context)).toBe(scope);
    (await getScope(request)).markVisited();
    expect(scope.hasVisited).toBe(true);
  });

  it("T10 is not private for a visitor who has visited before and visits again", async () => {
    fakeExchange({});
    const scope = await getScope(args("/welcome", { cookie: "hasVisited=true" }));
    scope.markVisited();
    expect(scope.isPrivate).toBe(false);
  });

  it("S06 stays signed out if the session ends while its refresh runs", async () => {
    const request = args("/kyc", { cookie });
    fakeExchange({
      "GET /api/kyc": () => refusal(401, "token_expired", "Token expired"),
      [refresh]: async () => {
        await (await getScope(request)).clearSession();
        return Response.json({ access_token: "access-2", refresh_token: "refresh-2" });
      },
    });
    const scope = await getScope(request);
    await expect(scope.api.getKyc()).rejects.toMatchObject({ status: 401 });
    expect(scope.isSignedIn).toBe(false);
    expect(await readSession((await redirectTo(request, "/login")).headers)).toBeNull();
  });

  it("S06 signs out when the refresh token is refused during any call", async () => {
    fakeExchange({
      "GET /api/kyc": () => refusal(401, "token_expired", "Token expired"),
      [refresh]: () => refusal(401, "refresh_invalid", "Token expired"),
    });
    const scope = await getScope(args("/kyc", { cookie }));
    await expect(scope.api.getKyc()).rejects.toMatchObject({ status: 401 });
    expect([scope.isSignedIn, scope.hasExpired]).toEqual([false, true]);
  });

  it("passes on at most 400 characters of the visitor's User-Agent to the exchange", async () => {
    const agents: (string | null)[] = [];
    fakeExchange({
      [me]: (request) => {
        agents.push(request.headers.get("user-agent"));
        return Response.json(makeUser());
      },
    });
    await getPasskeyUser(args("/swap", { cookie, headers: { "User-Agent": "a".repeat(401) } }));
    await getPasskeyUser(args("/swap", { cookie }));
    expect(agents).toEqual(["a".repeat(400), null]);
  });

  it.each([
    [{ access_token: "a", refresh_token: "r" }, true, { access: "a", refresh: "r", passkey: true }],
    [{ access_token: "a" }, false, { access: "a", refresh: null, passkey: false }],
  ])(
    "D05 S04 stores the tokens of a sign-in and whether it was with a passkey (%#)",
    async (tokens, passkey, stored) => {
      fakeExchange({});
      const request = args("/login");
      await (await getScope(request)).signIn(tokens, passkey);
      expect(await readSession((await redirectTo(request, "/swap")).headers)).toEqual(stored);
    },
  );
});
