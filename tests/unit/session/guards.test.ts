import { describe, expect, it } from "vitest";
import type { User } from "~/api/contract";
import {
  requireActiveUser,
  requireApprovedUser,
  requirePasskey,
  requirePasskeyForKyc,
  requireVisited,
  toWantedPath,
} from "~/session/guards.server";
import { getScope } from "~/session/scope.server";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../support/site";

const signedInAs = (changes: Partial<User> = {}) =>
  fakeExchange({ "GET /api/users/me": () => Response.json(makeUser(changes)) });
const led = async (promise: Promise<unknown>) => {
  const response = await responseOf(promise);
  return { to: response.headers.get("Location"), replaced: response.headers.get("X-Remix-Replace") === "true" };
};

describe("guards", () => {
  it("R06 S01 /swap without a passkey → /login, history replaced, with redirect=/swap", async () => {
    fakeExchange({});
    expect(await led(requirePasskey(args("/swap")))).toEqual({ to: "/login?redirect=%2Fswap", replaced: true });
  });

  it("R06 the redirect carries path and search, without what Remix adds", async () => {
    fakeExchange({});
    const wanted = args("/swap/deliveryaddress/add?addressType=MOB&_routes=a%2Cb");
    expect(await led(requirePasskey(wanted))).toMatchObject({
      to: "/login?redirect=%2Fswap%2Fdeliveryaddress%2Fadd%3FaddressType%3DMOB",
    });
    expect(toWantedPath(new Request("http://x/swap.data?_routes=x"))).toBe("/swap");
  });

  it("R13 R14 S01 /kyc and /doger → /login with redirect=/kyc and message=true", async () => {
    fakeExchange({});
    for (const path of ["/kyc?redirect=/swap", "/doger"]) {
      expect(await led(requirePasskeyForKyc(args(path)))).toEqual({
        to: "/login?redirect=%2Fkyc&message=true",
        replaced: true,
      });
    }
  });

  it("S01 an e-mail code alone is no passkey", async () => {
    signedInAs({ passkey_authenticated: false });
    expect(await led(requirePasskey(args("/swap", { cookie: await sessionCookie({ passkey: false }) })))).toMatchObject(
      {
        to: "/login?redirect=%2Fswap",
      },
    );
  });

  it("R08 S02 V04 an inactive user → /login", async () => {
    signedInAs({ is_active: false });
    const request = args("/swap/usdt-to-mob", { cookie: await sessionCookie() });
    expect(await led(requireActiveUser(request))).toEqual({
      to: "/login?redirect=%2Fswap%2Fusdt-to-mob",
      replaced: true,
    });
  });

  it.each(["not_started", "pending", "rejected", "action_required"] as const)(
    "R08 S02 V04 KYC %s → /kyc with the way back",
    async (kyc_status) => {
      signedInAs({ kyc_status });
      const request = args("/swap/mob-to-usdt", { cookie: await sessionCookie() });
      expect(await led(requireApprovedUser(request))).toEqual({
        to: "/kyc?redirect=%2Fswap%2Fmob-to-usdt",
        replaced: true,
      });
    },
  );

  it("R08 S02 an active and approved user comes through", async () => {
    signedInAs();
    expect(await requireApprovedUser(args("/swap/usdt-to-mob", { cookie: await sessionCookie() }))).toEqual(makeUser());
  });

  it("E01 a failure of the call is raised with the server's words", async () => {
    fakeExchange({ "GET /api/users/me": () => refusal(418, "teapot", "Short and stout") });
    const request = args("/swap", { cookie: await sessionCookie() });
    await expect(requirePasskey(request)).rejects.toMatchObject({
      data: { message: "Short and stout" },
      init: { status: 418 },
    });
  });
});

describe("S03 R07 the first visit on /swap", () => {
  const visit = async (cookie = "") => args("/swap", { cookie: `${await sessionCookie()}${cookie}` });

  it("no current user → User not found (E03)", async () => {
    fakeExchange({ "GET /api/users/me": () => refusal(403, "user_blocked", "Unauthorized") });
    await expect(requireVisited(await visit())).rejects.toMatchObject({ data: { message: "User not found" } });
  });

  it("K03 created less than 60 s ago → /welcome, and nothing is marked", async () => {
    signedInAs({ created_at: new Date(Date.now() - 55_000).toISOString() });
    const request = await visit();
    expect(await led(requireVisited(request))).toMatchObject({ to: "/welcome" });
    expect((await getScope(request)).hasVisited).toBe(false);
  });

  it("older → hasVisited is set, raw, and the user proceeds", async () => {
    signedInAs({ created_at: new Date(Date.now() - 61_000).toISOString() });
    const request = await visit();
    expect((await requireVisited(request)).email).toBe("ada@example.org");
    const headers = new Headers();
    (await getScope(request)).attach(headers);
    expect(headers.getSetCookie()).toEqual(["hasVisited=true; Max-Age=31536000; Path=/; SameSite=Lax"]);
  });

  it("hasVisited present → a new user proceeds too, and no cookie is set", async () => {
    signedInAs({ created_at: new Date().toISOString() });
    const request = await visit("; hasVisited=true");
    await requireVisited(request);
    const headers = new Headers();
    (await getScope(request)).attach(headers);
    expect(headers.getSetCookie()).toEqual([]);
  });

  it("signed out → /login, not User not found", async () => {
    fakeExchange({});
    expect(await led(requireVisited(args("/swap")))).toMatchObject({ to: "/login?redirect=%2Fswap" });
  });
});
