import { createRequestHandler, type ServerBuild } from "@remix-run/node";
import { describe, expect, it, vi } from "vitest";
import type { User } from "~/api/contract";
import { paths } from "~/lib/paths";
import {
  requireActiveUser,
  requireApprovedUser,
  requirePasskey,
  requirePasskeyReturningToKyc,
  requireVisited,
  withGuard,
} from "~/session/guards.server";
import { getScope } from "~/session/scope.server";
import { deferred } from "../../support/deferred";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../support/site";

const signIn = (changes: Partial<User> = {}) =>
  fakeExchange({ "GET /api/users/me": () => Response.json(makeUser(changes)) });
const followRedirect = async (promise: Promise<unknown>) => {
  const response = await responseOf(promise);
  return { to: response.headers.get("Location"), replaced: response.headers.get("X-Remix-Replace") === "true" };
};

/** Remix's response to a request for a page that needs a passkey. */
function requestPage(path: string): Promise<Response> {
  const entry = { module: { default: () => new Response() } };
  const module = { default: () => null, loader: requirePasskey };
  const routes = { page: { id: "page", path: "*", module } };
  const build = { entry, routes, future: { v3_singleFetch: true }, assets: { routes: {} }, isSpaMode: false };
  return createRequestHandler(build as unknown as ServerBuild)(args(path).request);
}

describe("guards", () => {
  it("R06 S01 redirects /swap without a passkey to /login?redirect=/swap and replaces the history entry", async () => {
    fakeExchange({});
    expect(await followRedirect(requirePasskey(args("/swap")))).toEqual({
      to: "/login?redirect=%2Fswap",
      replaced: true,
    });
  });

  it.each([
    ["/swap/deliveryaddress/add?addressType=MOB", "/swap/deliveryaddress/add?addressType=MOB"],
    ["/swap/deliveryaddress/add.data?addressType=MOB&_routes=page", "/swap/deliveryaddress/add?addressType=MOB"],
    ["/swap.data?_routes=page", "/swap"],
    ["/_root.data", "/"],
    ["/swap.data/7", "/swap.data/7"],
  ])("R06 redirects back to path and search, without what Remix adds to requests for data: %s", async (path, back) => {
    fakeExchange({});
    const response = await requestPage(path);
    // For a request for data, the redirect is in the body.
    const redirect = JSON.stringify(response.headers.get("Location")) + (await response.text());
    expect(redirect).toContain(JSON.stringify(paths.login({ redirect: back })));
  });

  it("R13 R14 S01 redirects /kyc and /doger to /login with redirect=/kyc and message=true", async () => {
    fakeExchange({});
    for (const path of ["/kyc?redirect=/swap", "/doger"]) {
      expect(await followRedirect(requirePasskeyReturningToKyc(args(path)))).toEqual({
        to: "/login?redirect=%2Fkyc&message=true",
        replaced: true,
      });
    }
  });

  it("S01 requires a passkey even after signing in by e-mail", async () => {
    signIn({ passkey_authenticated: false });
    expect(
      await followRedirect(requirePasskey(args("/swap", { cookie: await sessionCookie({ passkey: false }) }))),
    ).toMatchObject({
      to: "/login?redirect=%2Fswap",
    });
  });

  it("R08 S02 V04 redirects an inactive user to /login", async () => {
    signIn({ is_active: false });
    const request = args("/swap/usdt-to-mob", { cookie: await sessionCookie() });
    expect(await followRedirect(requireActiveUser(request))).toEqual({
      to: "/login?redirect=%2Fswap%2Fusdt-to-mob",
      replaced: true,
    });
  });

  it.each(["not_started", "pending", "rejected", "action_required"] as const)(
    "R08 S02 V04 D08 redirects a user with KYC %s to /kyc, which comes back",
    async (kyc_status) => {
      signIn({ kyc_status });
      const request = args("/swap/mob-to-usdt", { cookie: await sessionCookie() });
      expect(await followRedirect(requireApprovedUser(request))).toEqual({
        to: "/kyc?redirect=%2Fswap%2Fmob-to-usdt",
        replaced: true,
      });
    },
  );

  it("R08 S02 checks is_active first: a user who is inactive and not approved goes to /login", async () => {
    signIn({ is_active: false, kyc_status: "not_started" });
    const request = args("/swap/usdt-to-mob", { cookie: await sessionCookie() });
    expect(await followRedirect(requireApprovedUser(request))).toEqual({
      to: "/login?redirect=%2Fswap%2Fusdt-to-mob",
      replaced: true,
    });
  });

  it("R08 S02 D08 returns an active and approved user", async () => {
    signIn();
    expect(await requireApprovedUser(args("/swap/usdt-to-mob", { cookie: await sessionCookie() }))).toEqual(makeUser());
  });

  it("E01 C02 throws the server's message if the call fails", async () => {
    fakeExchange({ "GET /api/users/me": () => refusal(418, "teapot", "Short and stout") });
    const request = args("/swap", { cookie: await sessionCookie() });
    await expect(requirePasskey(request)).rejects.toMatchObject({
      data: { message: "Short and stout" },
      init: { status: 418 },
    });
    fakeExchange({ "GET /api/users/me": () => refusal(404, "not_found", "No users here") });
    await expect(requirePasskey(args("/swap", { cookie: await sessionCookie() }))).rejects.toMatchObject({
      data: { message: "No users here" },
      init: { status: 502 },
    });
  });
});

describe("S03 R07 the first visit to /swap", () => {
  const visit = async (cookie = "") => args("/swap", { cookie: `${await sessionCookie()}${cookie}` });

  it("E03 S03 throws User not found if there is no current user", async () => {
    fakeExchange({ "GET /api/users/me": () => refusal(403, "user_blocked", "Unauthorized") });
    await expect(requireVisited(await visit())).rejects.toMatchObject({ data: { message: "User not found" } });
  });

  it("K03 S03 redirects an account younger than 60 s to /welcome without setting hasVisited", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      signIn({ created_at: new Date(Date.now() - 55_000).toISOString() });
      const request = await visit();
      expect(await followRedirect(requireVisited(request))).toMatchObject({ to: "/welcome" });
      expect((await getScope(request)).hasVisited).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  });

  it("K03 S03 counts an account as new before it is 60 s old, and not from then on", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      signIn({ created_at: new Date(Date.now() - 59_999).toISOString() });
      expect(await followRedirect(requireVisited(await visit()))).toMatchObject({ to: "/welcome" });
      signIn({ created_at: new Date(Date.now() - 60_000).toISOString() });
      expect((await requireVisited(await visit())).email).toBe("ada@example.org");
    } finally {
      vi.useRealTimers();
    }
  });

  it("S03 S08 redirects a blocked user who has visited before to /login", async () => {
    fakeExchange({ "GET /api/users/me": () => refusal(403, "user_blocked", "Unauthorized") });
    expect(await followRedirect(requireVisited(await visit("; hasVisited=true")))).toMatchObject({
      to: "/login?redirect=%2Fswap",
    });
  });

  it("S03 R07 sets hasVisited for an older account and returns the user", async () => {
    signIn({ created_at: new Date(Date.now() - 61_000).toISOString() });
    const request = await visit();
    expect((await requireVisited(request)).email).toBe("ada@example.org");
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    expect(headers.getSetCookie()).toEqual(["hasVisited=true; Max-Age=31536000; Path=/; SameSite=Lax"]);
  });

  it("S03 R07 returns a new user who has visited before, without setting a cookie", async () => {
    signIn({ created_at: new Date().toISOString() });
    const request = await visit("; hasVisited=true");
    await requireVisited(request);
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it("S03 R06 redirects a signed-out visitor to /login instead of User not found", async () => {
    fakeExchange({});
    expect(await followRedirect(requireVisited(args("/swap")))).toMatchObject({ to: "/login?redirect=%2Fswap" });
  });
});

describe("withGuard", () => {
  const user = makeUser();

  it("S01 does not load anything for a signed-out visitor before the guard has let them in", async () => {
    fakeExchange({});
    const load = vi.fn(async () => 7);
    const refused = new Error("to /login");
    await expect(withGuard(args("/swap"), () => Promise.reject(refused), load)).rejects.toBe(refused);
    expect(load).not.toHaveBeenCalled();
    expect(await withGuard(args("/swap"), async () => user, load)).toEqual([user, 7]);
  });

  it("loads while the guard of a signed-in visitor waits, and throws what the guard throws", async () => {
    signIn();
    const request = args("/swap", { cookie: await sessionCookie() });
    const started = deferred();
    const guard = async () => {
      await started.promise;
      return user;
    };
    const load = async () => {
      started.resolve();
      return 7;
    };
    expect(await withGuard(request, guard, load)).toEqual([user, 7]);
    const refused = new Error("to /kyc");
    const failing = () => Promise.reject(new Error("no data"));
    await expect(withGuard(request, () => Promise.reject(refused), failing)).rejects.toBe(refused);
    await expect(withGuard(request, async () => user, failing)).rejects.toThrow("no data");
  });
});
