import { describe, expect, it } from "vitest";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import {
  args,
  exchangeUnreachable,
  fakeExchange,
  makeUser,
  readSession,
  refusal,
  responseOf,
  sessionCookie,
} from "../../support/site";

const setMails = siteAction(async (request) => {
  const { api } = await getScope(request);
  return api.setMailPreferences({ payment_seen: true, paid_out: true, refunded: true });
});
const post = async () => args("/doger?type=in", { cookie: await sessionCookie({ refresh: null }), form: { a: "1" } });

describe("an action", () => {
  it("S06 asks to sign in again if the session has ended since its guard let it run", async () => {
    fakeExchange({ "PATCH /api/users/me/mail-preferences": () => refusal(401, "token_expired", "Token expired") });
    const response = await responseOf(setMails(await post()));
    expect(response.headers.get("location")).toBe(`/login?redirect=${encodeURIComponent("/doger?type=in")}`);
    expect(await readSession(response.headers)).toBeNull();
  });

  it("keeps the page open with a 503 if the exchange cannot be reached, whatever the action would do", async () => {
    fakeExchange({ "PATCH /api/users/me/mail-preferences": () => Promise.reject(new TypeError("fetch failed")) });
    await expect(setMails(await post())).rejects.toEqual(exchangeUnreachable);
  });

  it("responds to other errors of the exchange with their status, so that the page with the form stays", async () => {
    fakeExchange({ "PATCH /api/users/me/mail-preferences": () => refusal(500, "internal", "Something went wrong.") });
    await expect(setMails(await post())).rejects.toMatchObject({ init: { status: 500 } });
  });

  it("does not ask to sign in again after a 401 that does not end the session", async () => {
    fakeExchange({
      "POST /api/auth": () => refusal(401, "code_wrong", "Wrong code"),
      "GET /api/users/me": () => Response.json(makeUser()),
    });
    const signIn = siteAction(async (request) => {
      const { api } = await getScope(request);
      return api.signInByCode("c1", "123456");
    });
    await expect(signIn(await post())).rejects.toMatchObject({ init: { status: 401 } });
  });
});
