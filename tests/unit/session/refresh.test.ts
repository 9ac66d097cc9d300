import { describe, expect, it } from "vitest";
import type { Tokens } from "~/api/contract";
import { ApiError, ApiUnreachableError } from "~/api/errors";
import { SignInResponseError } from "~/api/sign-in-calls";
import * as errorTexts from "~/lib/error-catalogue";
import type { SiteSession } from "~/session/cookies.server";
import { createRefreshingFetch } from "~/session/refresh.server";

const signedIn: SiteSession = { access: "access-1", refresh: "refresh-1", passkey: true };

/** A session whose requests succeed only with `valid`, and what was sent. */
function open({
  session = signedIn as SiteSession | null,
  valid = "access-2",
  refusal = null as object | null,
  refresh = async (): Promise<Tokens> => ({ access_token: "access-2" }),
} = {}) {
  const state = { session, valid, sent: [] as (string | null)[], refreshes: 0, cleared: 0 };
  const intercept = createRefreshingFetch({
    getSession: () => state.session,
    refresh: (token) => {
      expect(token).toBe(state.session?.refresh);
      state.refreshes += 1;
      return refresh();
    },
    store: async (tokens, passkey) => {
      state.session = { access: tokens.access_token, refresh: tokens.refresh_token ?? "refresh-1", passkey };
    },
    clear: async () => {
      state.cleared += 1;
      state.session = null;
    },
  });
  const send = intercept(async (request) => {
    state.sent.push(request.headers.get("X-Auth-Token"));
    const isValid = request.headers.get("X-Auth-Token") === state.valid;
    return isValid ? new Response(null) : Response.json(refusal, { status: 401 });
  });
  const get = (token: string | null, path = "/api/users/me") =>
    send(new Request(`http://exchange.invalid${path}`, { headers: token === null ? {} : { "X-Auth-Token": token } }));
  return { state, get };
}

describe("the refresh of one request's token", () => {
  it("S05 repeats the request with the new token, and keeps the passkey flag", async () => {
    const { state, get } = open();
    expect((await get("access-1")).status).toBe(200);
    expect(state.sent).toEqual(["access-1", "access-2"]);
    expect(state.session).toEqual({ access: "access-2", refresh: "refresh-1", passkey: true });
  });

  it("S05 does not refresh after any other response", async () => {
    const { state, get } = open({ valid: "access-1" });
    expect((await get("access-1")).status).toBe(200);
    expect([state.refreshes, state.sent]).toEqual([0, ["access-1"]]);
  });

  it("S05 refreshes again when the new token expires as well", async () => {
    let n = 1;
    const { state, get } = open({
      refresh: async () => {
        n += 1;
        return { access_token: `access-${n}` };
      },
    });
    await get("access-1");
    state.valid = "access-3";
    expect((await get("access-2")).status).toBe(200);
    expect(state.refreshes).toBe(2);
  });

  it("S05 uses a token that another call has renewed in the meantime, without refreshing again", async () => {
    const { state, get } = open({ session: { ...signedIn, access: "access-2" } });
    expect((await get("access-1")).status).toBe(200);
    expect([state.refreshes, state.sent]).toEqual([0, ["access-1", "access-2"]]);
  });

  it("S05 does not repeat the request if the token is the same as before", async () => {
    const { state, get } = open({ refresh: async () => ({ access_token: "access-1" }) });
    expect((await get("access-1")).status).toBe(401);
    expect(state.sent).toEqual(["access-1"]);
  });

  it("S06 returns the 401 after signing out, and if another call has signed out in the meantime", async () => {
    const { state, get } = open({ session: { ...signedIn, refresh: null } });
    expect((await get("access-1")).status).toBe(401);
    expect([state.cleared, state.refreshes, state.sent]).toEqual([1, 0, ["access-1"]]);
    expect((await get("access-1")).status).toBe(401);
    expect([state.cleared, state.refreshes]).toEqual([1, 0]);
  });

  it.each([
    ["a refusal", new ApiError(401, null, null)],
    ["a bad request", new ApiError(400, null, null)],
    ["a conflict", new ApiError(409, null, null)],
    ["a response without a token", new SignInResponseError(errorTexts.authServerError)],
  ])("S06 signs out after %s", async (_name, error) => {
    const { state, get } = open({ refresh: () => Promise.reject(error) });
    expect((await get("access-1")).status).toBe(401);
    expect([state.cleared, state.session]).toEqual([1, null]);
  });

  it.each([
    ["429", new ApiError(429, null, 1)],
    ["500", new ApiError(500, null, null)],
    ["502", new ApiError(502, null, null)],
    ["503", new ApiError(503, null, null)],
    ["504", new ApiError(504, null, null)],
    ["no response", new ApiUnreachableError({})],
  ])("S06 stays signed in after %s, and throws it", async (_name, error) => {
    const { state, get } = open({ refresh: () => Promise.reject(error) });
    await expect(get("access-1")).rejects.toBe(error);
    expect([state.cleared, state.session]).toEqual([0, signedIn]);
  });

  it.each([
    ["/api/auth", 0],
    ["/api/auth/passkey/login-options", 0],
    ["/api/auth/refresh", 0],
    ["/api/auth/logout", 1],
    ["/api/kyc", 1],
  ])("C01 a 401 of %s causes %i refreshes", async (path, refreshes) => {
    const { state, get } = open();
    await get("access-1", path);
    expect(state.refreshes).toBe(refreshes);
  });

  it("C01 T73 sends a request with a wrong code once, and refreshes after any other 401 with a body", async () => {
    for (const [code, sent] of [
      ["code_wrong", ["access-1"]],
      ["token_expired", ["access-1", "access-2"]],
    ] as const) {
      const { state, get } = open({ refusal: { detail: { code, message: "No." } } });
      expect((await get("access-1", "/api/users/me/deletion")).status).toBe(sent.length === 1 ? 401 : 200);
      expect([state.sent, state.refreshes, state.cleared]).toEqual([sent, sent.length - 1, 0]);
    }
  });

  it("C01 a request without a token is sent once, as it is", async () => {
    const { state, get } = open();
    expect((await get(null)).status).toBe(401);
    expect([state.sent, state.refreshes]).toEqual([[null], 0]);
  });
});
