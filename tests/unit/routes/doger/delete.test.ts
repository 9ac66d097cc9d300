import { describe, expect, it } from "vitest";
import { action, loader } from "~/routes/doger/delete/route";
import { getScope } from "~/session/scope.server";
import { args, fakeExchange, makeUser, readSession, refusal, responseOf, sessionCookie } from "../../../support/site";

const email = "ada@example.org";
const confirm = "delete my account";
const deleteCall = "POST /api/users/me/deletion";
const me = { "GET /api/users/me": () => Response.json(makeUser()) };
const deletes = { ...me, [deleteCall]: () => new Response(null, { status: 204 }) };

const open = async (form?: Record<string, string>, cookie = "") =>
  args("/doger/delete", { cookie: `${await sessionCookie()}; ${cookie}`, ...(form && { form }) });
const post = async (form: Record<string, string>, cookie?: string) => action(await open(form, cookie));

/** The cookie of a browser that has requested a code. */
async function askForCode(): Promise<string> {
  fakeExchange({
    ...me,
    "POST /api/auth": () => Response.json({ challenge_id: "c1", challenge: "email" }, { status: 202 }),
  });
  const request = await open({ intent: "send-code", email: " ada@", code: "" });
  expect(await action(request)).toEqual({
    kind: "done",
    text: `You requested a code. Enter it when it arrives at ${email}.`,
    // Without JavaScript, the form is filled in again.
    values: { email: "ada@" },
  });
  const headers = new Headers();
  (await getScope(request)).writeCookies(headers);
  return headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
}

describe("/doger/delete", () => {
  it("S01 without a passkey redirects to /login, which leads back", async () => {
    const { calls } = fakeExchange({});
    for (const request of [loader(args("/doger/delete")), action(args("/doger/delete", { form: {} }))]) {
      const response = await responseOf(request);
      expect(response.headers.get("Location")).toBe("/login?redirect=%2Fdoger%2Fdelete&message=true");
    }
    expect(calls).toEqual([]);
  });

  it("T73 shows what prevents the deletion, and offers a code only for a confirmed address", async () => {
    const deletion = {
      obstacles: [{ reason: "open_swap", quote_id: 7, order_number: "0000-0000-0007" }],
      retention_years: 5,
      records_kept_until: "2031-01-01T00:00:00.000Z",
    };
    const cookie = await askForCode();
    fakeExchange({ ...me, "GET /api/users/me/deletion": () => Response.json(deletion) });
    expect(await loader(await open())).toEqual({ email, canUseCode: true, codeSent: false, deletion });
    expect(await loader(await open(undefined, cookie))).toEqual({ email, canUseCode: true, codeSent: true, deletion });
    fakeExchange({
      "GET /api/users/me": () => Response.json(makeUser({ email_verified: false })),
      "GET /api/users/me/deletion": () => Response.json(deletion),
    });
    expect(await loader(await open())).toEqual({ email, canUseCode: false, codeSent: false, deletion });
  });

  it("shows the exchange's message if it does not say what deleting means", async () => {
    fakeExchange({ ...me, "GET /api/users/me/deletion": () => refusal(409, "busy", "Not now.") });
    await expect(loader(await open())).rejects.toMatchObject({
      data: { message: "Not now." },
      init: { status: 409 },
    });
  });

  it("V07 does not start a passkey ceremony or send a code if the account has no valid e-mail address", async () => {
    const exchange = fakeExchange({ "GET /api/users/me": () => Response.json(makeUser({ email: "ada" })) });
    for (const intent of ["passkey-options", "send-code"]) {
      expect(await post({ intent })).toEqual({
        kind: "refused",
        values: { identifier: "ada" },
        fields: { identifier: "Enter your e-mail address, such as ada@example.org." },
      });
    }
    expect(new Set(exchange.calls.map(({ call }) => call))).toEqual(new Set(["GET /api/users/me"]));
  });

  it("deletes the account once its address is typed, in upper or lower case, and signs out", async () => {
    const exchange = fakeExchange(deletes);
    const response = await responseOf(post({ intent: "delete", email: "\u200e Ada@Example.org " }));
    expect(response.headers.get("Location")).toBe("/account-deleted");
    expect(response.headers.get("Clear-Site-Data")).toBe('"cache"');
    expect(await readSession(response.headers)).toBeNull();
    expect(exchange.calls.at(-1)).toEqual({ call: deleteCall, token: "access-1", body: { confirm } });
  });

  it("deletes nothing while another address is typed", async () => {
    const exchange = fakeExchange(deletes);
    for (const typed of ["", "eve@evil.example", `${email}x`]) {
      expect(await post({ intent: "delete", email: typed })).toEqual({
        kind: "refused",
        values: { email: typed },
        fields: { email: `Enter ${email}, the address of this account.` },
      });
    }
    expect(exchange.count(deleteCall)).toBe(0);
  });

  it("T73 sends the code that this browser requested, without the spaces in it", async () => {
    const cookie = await askForCode();
    const exchange = fakeExchange(deletes);
    const response = await responseOf(post({ intent: "delete", email, code: " ١٢٣ 4-56" }, cookie));
    expect(exchange.calls.at(-1)?.body).toEqual({ confirm, proof: { challenge_id: "c1", code: "123456" } });
    expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^challenge-proof=.*Max-Age=0;/));
  });

  it("T73 does not send a code that another browser requested, or an empty one", async () => {
    const cookie = await askForCode();
    const exchange = fakeExchange(deletes);
    await post({ intent: "delete", email, code: "123456" });
    expect(exchange.calls.at(-1)).toEqual({ call: deleteCall, token: "access-1", body: { confirm } });
    await post({ intent: "delete", email }, cookie);
    expect(exchange.calls.at(-1)).toEqual({ call: deleteCall, token: "access-1", body: { confirm } });
  });

  it.each(["12345", "1234567", "a123456", "12345x"])("refuses %j, which is not a code, at its field", async (code) => {
    const cookie = await askForCode();
    const exchange = fakeExchange(deletes);
    expect(await post({ intent: "delete", email, code }, cookie)).toEqual({
      kind: "refused",
      values: { email, code },
      fields: { code: "Enter the six digits from the e-mail." },
    });
    expect(exchange.count(deleteCall)).toBe(0);
  });

  it("T73 sends a wrong code only once, shows the exchange's message, and does not sign out", async () => {
    const cookie = await askForCode();
    const message = "We may not have checked this code.";
    const exchange = fakeExchange({ ...me, [deleteCall]: () => refusal(401, "code_wrong", message) });
    const request = await open({ intent: "delete", email, code: "123456" }, cookie);
    expect(await action(request)).toEqual({
      kind: "refused",
      values: { email, code: "123456" },
      fields: { code: message },
    });
    expect(exchange.count(deleteCall)).toBe(1);
    expect((await getScope(request)).isSignedIn).toBe(true);
  });

  it("T73 asks for the passkey again if the sign-in was too long ago", async () => {
    fakeExchange({ ...me, [deleteCall]: () => refusal(403, "passkey_too_old", "Confirm with your passkey.") });
    expect(await post({ intent: "delete", email })).toEqual({
      kind: "refused",
      values: { email },
      error: "Confirm with your passkey.",
      code: "passkey_too_old",
    });
  });

  it("shows why the account cannot be deleted", async () => {
    const message = "A swap is under way.";
    fakeExchange({ ...me, [deleteCall]: () => refusal(409, "account_in_use", message) });
    expect(await post({ intent: "delete", email })).toEqual({
      kind: "refused",
      values: { email },
      error: message,
      code: "account_in_use",
    });
  });

  it("E01 sends a visitor whose session has ended to /login", async () => {
    fakeExchange({
      ...me,
      [deleteCall]: () => refusal(401, "token_expired", "Token expired"),
      "POST /api/auth/refresh": () => refusal(401, "refresh_invalid", "Token expired"),
    });
    const response = await responseOf(post({ intent: "delete", email }));
    expect(response.headers.get("Location")).toMatch(/^\/login\?/);
  });

  it("T73 starts and completes the passkey's ceremony for this account only", async () => {
    const exchange = fakeExchange({
      ...me,
      "POST /api/auth/passkey/login-options": () => Response.json({ challenge_id: "c2", options: { challenge: "x" } }),
      "POST /api/auth": () => Response.json({ access_token: "access-2", refresh_token: "refresh-2" }),
    });
    const starting = await open({ intent: "passkey-options", identifier: "eve@evil.example" });
    expect(await action(starting)).toMatchObject({ kind: "options", options: { challenge: "x" } });
    expect(exchange.calls.at(-1)?.body).toEqual({ identifier: email });
    const headers = new Headers();
    (await getScope(starting)).writeCookies(headers);
    const cookie = headers.getSetCookie()[0]?.split(";", 1)[0];
    const credential = JSON.stringify({ id: "k" });
    const text = "Confirmed. Now press “Delete my account permanently” again.";
    expect(await post({ intent: "passkey-verify", credential }, cookie)).toEqual({ kind: "done", text });
    expect(await post({ intent: "passkey-verify", credential })).toMatchObject({ error: expect.any(String) });
  });
});
