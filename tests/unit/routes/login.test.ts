import { describe, expect, it, vi } from "vitest";
import { getConfig } from "~/config/config.server";
import { action, loader } from "~/routes/auth/login/route";
import { action as registerAction, loader as registerLoader } from "~/routes/auth/register/route";
import { action as logoutAction, loader as logoutLoader } from "~/routes/logout/route";
import { requirePasskey } from "~/session/guards.server";
import { getScope } from "~/session/scope.server";
import type { SignInRefused } from "~/sign-in/sign-in-result";
import {
  args,
  fakeExchange,
  makeUser,
  readSession,
  refusal,
  responseOf,
  sessionCookie,
  withoutRetryWaits,
} from "../../support/site";
import { rates } from "./swap/fixtures";

const me = "GET /api/users/me";
const auth = "POST /api/auth";
const cookieOf = (headers: Headers, name: string) =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith(`${name}=`))
    ?.split(";", 1)[0] ?? "";

/** What a browser never sends as a passkey's response. */
const badCredentials = ["", "k", "5", "null", '"id"', "{}", "[]"];

async function requestCode(cookie?: string, challengeId = "c1") {
  fakeExchange({ [auth]: () => Response.json({ challenge_id: challengeId, challenge: "email" }, { status: 202 }) });
  const response = await responseOf(
    action(args("/login?redirect=/swap", { cookie, form: { intent: "send-code", identifier: "ada@example.org" } })),
  );
  return cookieOf(response.headers, "challenge-email");
}

describe("/login, the loader", () => {
  it("R15 V01 V02 reads message and redirect, and drops invalid values", async () => {
    fakeExchange({});
    expect(await loader(args("/login?message=true&redirect=%2Fkyc"))).toMatchObject({
      message: true,
      redirect: "/kyc",
      screen: { kind: "sign-in" },
      notice: null,
    });
    expect(await loader(args("/login?message=yes&redirect=//evil.example"))).toMatchObject({
      message: false,
      redirect: null,
    });
  });

  it("S04 redirects an active, passkey-authenticated visitor, replacing history", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser()) });
    const response = await responseOf(loader(args("/login?redirect=/doger", { cookie: await sessionCookie() })));
    expect(response.headers.get("Location")).toBe("/doger");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
  });

  it("S04 asks an e-mail-only session for a passkey", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false })) });
    const cookie = await sessionCookie({ passkey: false });
    expect(await loader(args("/login?redirect=/swap", { cookie }))).toMatchObject({
      screen: { kind: "add-passkey", email: "ada@example.org" },
    });
  });

  it.each([
    ["the cookie", { passkey: false }, {}],
    ["the exchange", {}, { passkey_authenticated: false }],
  ])(
    "S04 does not send visitors on to a page whose guard would send them back: no passkey by %s",
    async (_, session, user) => {
      fakeExchange({ [me]: () => Response.json(makeUser(user)) });
      const request = args("/login?redirect=/swap", { cookie: await sessionCookie(session) });
      expect(await loader(request)).toMatchObject({ screen: { kind: "add-passkey" } });
    },
  );

  it.each([
    ["not_started", true],
    ["pending", false],
    ["approved", false],
  ] as const)(
    "shows the first swap's steps beside adding a passkey only to a new account: %s",
    async (status, isNew) => {
      fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false, kyc_status: status })) });
      const cookie = await sessionCookie({ passkey: false });
      expect(await loader(args("/login?redirect=/kyc", { cookie }))).toEqual({
        redirect: "/kyc",
        message: false,
        screen: { kind: "add-passkey", email: "ada@example.org", isNew },
        notice: null,
        price: null,
      });
    },
  );

  it("S02 shows that an account is inactive, without a redirect loop", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser({ is_active: false })) });
    expect(await loader(args("/login?redirect=/swap", { cookie: await sessionCookie() }))).toMatchObject({
      screen: { kind: "sign-in" },
      notice: { kind: "inactive", email: "ada@example.org" },
    });
  });

  it("T6 has no token in its data", async () => {
    fakeExchange({ [me]: () => Response.json(makeUser({ passkey_authenticated: false })) });
    const data = await loader(args("/login", { cookie: await sessionCookie({ passkey: false }) }));
    expect(JSON.stringify(data)).not.toMatch(/access-1|refresh-1/);
  });
});

describe("/login, the price", () => {
  const withRates = { "GET /api/rates": () => Response.json(rates) };

  it("R06 shows signed-out visitors what a swap of the amount they arrive with costs", async () => {
    fakeExchange(withRates);
    expect(await loader(args("/login?redirect=/swap"))).toMatchObject({
      price: { calculation: { source: "USDT", text: "250" }, rates: { fee_bps: 50 } },
    });
    const redirect = encodeURIComponent("/swap/mob-to-usdt?amount=1250.5");
    const german = { headers: { "accept-language": "de" } };
    expect(await loader(args(`/login?redirect=${redirect}`, german))).toMatchObject({
      price: { calculation: { source: "MOB", text: "1.250,5" } },
      redirect: "/swap/mob-to-usdt?amount=1250.5",
    });
  });

  it("keeps the amount of the calculator's form in redirect", async () => {
    fakeExchange(withRates);
    const response = await responseOf(loader(args("/login?source=MOB&amount=1%2C000.5")));
    const redirect = encodeURIComponent("/swap/mob-to-usdt?amount=1000.5");
    expect(response.headers.get("Location")).toBe(`/login?redirect=${redirect}#sign-in`);
  });

  it("signs in without prices, and does not show prices on the way to other pages or while it waits for a code", async () => {
    fakeExchange({ "GET /api/rates": () => refusal(503, "starting", "Starting.") });
    const loadWithout = () => withoutRetryWaits(async () => loader(args("/login?redirect=/swap")));
    expect(await loadWithout()).toMatchObject({ price: null, screen: { kind: "sign-in" } });
    const exchange = fakeExchange(withRates);
    expect(await loader(args("/login?redirect=/doger"))).toMatchObject({ price: null });
    const cookie = await requestCode();
    const waiting = fakeExchange(withRates);
    expect(await loader(args("/login?redirect=/swap", { cookie }))).toMatchObject({ price: null });
    expect(exchange.count("GET /api/rates") + waiting.count("GET /api/rates")).toBe(0);
  });
});

describe("E01 a token that the exchange no longer accepts", () => {
  const expired = {
    [me]: () => refusal(401, "token_expired", "Token expired"),
    "POST /api/auth/refresh": () => refusal(401, "refresh_invalid", "Token expired"),
  };
  /** The cookies of a browser that was redirected from /swap to /login. */
  async function redirectToLogin() {
    fakeExchange(expired);
    const response = await responseOf(requirePasskey(args("/swap", { cookie: await sessionCookie() })));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fswap");
    expect(await readSession(response.headers)).toBeNull();
    return cookieOf(response.headers, "expired");
  }

  it("E01 S06 S08 /login says Token expired after the redirect of a guard", async () => {
    const cookie = await redirectToLogin();
    fakeExchange({});
    const request = args("/login?redirect=%2Fswap", { cookie });
    expect(await loader(request)).toMatchObject({ screen: { kind: "sign-in" }, notice: { title: "Token expired" } });
    expect((await getScope(request)).isPrivate).toBe(true);
  });

  it("E01 /login says Token expired when it is opened with the expired session", async () => {
    fakeExchange(expired);
    expect(await loader(args("/login", { cookie: await sessionCookie() }))).toMatchObject({
      screen: { kind: "sign-in" },
      notice: { kind: "failed", title: "Token expired", hint: "You were signed out. Sign in again to continue." },
    });
  });

  it("/login does not say Token expired to other visitors, nor after signing in or out", async () => {
    fakeExchange({});
    expect(await loader(args("/login", { cookie: "expired=false; x=expired=true" }))).toMatchObject({
      notice: null,
    });
    const expiredCookie = await redirectToLogin();
    const challenge = await requestCode();
    fakeExchange({ [auth]: () => Response.json({ access_token: "a" }) });
    const form = { intent: "verify-code", code: "123456" };
    const response = await responseOf(action(args("/login", { cookie: `${expiredCookie}; ${challenge}`, form })));
    expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^expired=true; Max-Age=0;/));
    fakeExchange({ "POST /api/auth/logout": () => new Response(null, { status: 204 }) });
    const signedOut = await responseOf(logoutAction(args("/logout", { cookie: await sessionCookie(), form })));
    expect(cookieOf(signedOut.headers, "expired")).toBe("");
  });
});

describe("/login, e-mail code", () => {
  it("C04 requests a code, stores the challenge in this browser and shows the second step", async () => {
    const cookie = await requestCode();
    fakeExchange({});
    expect(await loader(args("/login", { cookie }))).toMatchObject({
      screen: { kind: "code", sentTo: "ada@example.org" },
    });
  });

  it("starts again with another address, and keeps where the visitor wanted to go", async () => {
    const cookie = await requestCode();
    fakeExchange({});
    const request = args("/login?redirect=/kyc", { cookie, form: { intent: "other-address" } });
    const response = await responseOf(action(request));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fkyc");
    const next = args("/login", { cookie: cookieOf(response.headers, "challenge-email") });
    expect(await loader(next)).toMatchObject({ screen: { kind: "sign-in" } });
  });

  it("C05 S04 signs in with the correct code, then asks for a passkey", async () => {
    const cookie = await requestCode();
    const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a", refresh_token: "r" }) });
    const response = await responseOf(
      action(args("/login?redirect=/swap", { cookie, form: { intent: "verify-code", code: "123 456" } })),
    );
    expect(exchange.calls[0]?.body).toEqual({ credentials: { challenge_id: "c1", auth_data: { code: "123456" } } });
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fswap");
    expect(await readSession(response.headers)).toEqual({ access: "a", refresh: "r", passkey: false });
  });

  it("T25 keeps the device token of a sign-in, even after a sign-out, and sends it with the next request", async () => {
    const cookie = await requestCode();
    fakeExchange({ [auth]: () => Response.json({ access_token: "a", device_token: "ad_1" }) });
    const form = { intent: "verify-code", code: "123456" };
    const { headers } = await responseOf(action(args("/login", { cookie, form })));
    const line = headers.getSetCookie().find((set) => set.startsWith("device="));
    expect(line).toMatch(/^device=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/);
    const device = cookieOf(headers, "device");

    fakeExchange({ "POST /api/auth/logout": () => new Response(null, { status: 204 }) });
    const signedIn = `${device}; ${await sessionCookie()}`;
    const signedOut = await responseOf(logoutAction(args("/logout", { cookie: signedIn, form: {} })));
    expect(cookieOf(signedOut.headers, "device")).toBe("");

    const exchange = fakeExchange({ [auth]: () => Response.json({ challenge_id: "c", challenge: "email" }) });
    const send = { intent: "send-code", identifier: "ada@example.org" };
    await action(args("/login", { cookie: device, form: send }));
    await action(args("/login", { cookie: `${device.slice(0, -3)}xyz`, form: send }));
    const credentials = { identifier: "ada@example.org" };
    expect(exchange.calls.map(({ body }) => body)).toEqual([
      { auth_method: "email", credentials: { ...credentials, device_token: "ad_1" } },
      { auth_method: "email", credentials },
    ]);
  });

  it("says that the browser blocks cookies if it does not send any back", async () => {
    fakeExchange({ [auth]: () => Response.json({ challenge_id: "c1", challenge: "email" }, { status: 202 }) });
    const form = { intent: "send-code", identifier: "ada@example.org" };
    const response = await responseOf(action(args("/login?redirect=/kyc", { form })));
    const next = response.headers.get("Location") ?? "";
    expect(next).toBe("/login?redirect=%2Fkyc&cookies=check");
    const notice = {
      kind: "failed",
      title: "Your browser blocks cookies.",
      hint: "Allow cookies for this site and try again.",
    };
    expect(await loader(args(next))).toMatchObject({ screen: { kind: "sign-in" }, notice });
    const cookie = cookieOf(response.headers, "challenge-email");
    // Cookies work, so the check is removed from the URL, with the code or once it has expired.
    for (const sent of [cookie, "tz=UTC"]) {
      const checked = await responseOf(loader(args(next, { cookie: sent })));
      expect(checked.headers.get("Location")).toBe("/login?redirect=%2Fkyc");
    }
    expect(await loader(args("/login", { cookie }))).toMatchObject({
      screen: { kind: "code", sentTo: "ada@example.org" },
      notice: null,
    });
    expect((await loader(args("/login"))).notice).toBeNull();
  });

  it("counts the codes sent again to the same address, so that the page can say so", async () => {
    const cookies = [await requestCode()];
    for (const again of [0, 1]) cookies.push(await requestCode(cookies[again]));
    const screens = cookies.map(async (cookie) => (await loader(args("/login", { cookie }))).screen);
    const toScreen = (resent?: number) => ({ kind: "code", sentTo: "ada@example.org", resent });
    expect(await Promise.all(screens)).toEqual([toScreen(), toScreen(1), toScreen(2)]);
  });

  it("T3 refuses a code requested in another browser, without calling the exchange", async () => {
    await requestCode();
    const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a" }) });
    expect(await action(args("/login", { form: { intent: "verify-code", code: "123456" } }))).toEqual({
      kind: "refused",
      error: "Authentication failed: this code has expired or was requested in another browser. Please try again.",
    });
    expect(exchange.calls).toEqual([]);
  });

  it.each(["123 456", "123–456", "١٢٣٤٥٦", "۱۲۳ ۴۵۶", "１２３４５６", "\u200e123\u200b456\u2069", "१२३४५६"])(
    "reads the code %j",
    async (code) => {
      const cookie = await requestCode();
      const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a", refresh_token: "r" }) });
      await action(args("/login", { cookie, form: { intent: "verify-code", code } }));
      expect(exchange.calls.at(0)?.body).toMatchObject({ credentials: { auth_data: { code: "123456" } } });
    },
  );

  it.each(["", "12345", "1234567", "a123456", "123456x"])(
    "refuses %j, which is not a code, at its field, and does not send it",
    async (code) => {
      const cookie = await requestCode();
      const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a" }) });
      expect(await action(args("/login", { cookie, form: { intent: "verify-code", code } }))).toEqual({
        kind: "refused",
        values: { code },
        fields: { code: "Enter the six digits from the e-mail." },
      });
      expect(exchange.calls).toEqual([]);
    },
  );

  it("S04 a code never counts as a passkey sign-in, even in a browser with a passkey session", async () => {
    const challenges = await requestCode();
    fakeExchange({ [auth]: () => Response.json({ access_token: "a", refresh_token: "r" }) });
    const cookie = `${await sessionCookie()}; ${challenges}`;
    const response = await responseOf(
      action(args("/login", { cookie, form: { intent: "verify-code", code: "123456" } })),
    );
    expect(await readSession(response.headers)).toEqual({ access: "a", refresh: "r", passkey: false });
  });

  it("V07 sends the address without the spaces and invisible characters around it", async () => {
    const exchange = fakeExchange({
      [auth]: () => Response.json({ challenge_id: "c1", challenge: "email" }, { status: 202 }),
    });
    const form = { intent: "send-code", identifier: "\u200b ada@exam\u200eple.org \u2069" };
    const response = await responseOf(action(args("/login?redirect=/kyc", { cookie: "tz=UTC", form })));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fkyc");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
    expect(exchange.calls[0]?.body).toEqual({ auth_method: "email", credentials: { identifier: "ada@example.org" } });
  });

  it("E10 shows what the exchange says about the address, and keeps it", async () => {
    const fields = { identifier: "This address cannot receive e-mail." };
    const detail = { message: "Not valid.", code: "invalid", fields };
    fakeExchange({ [auth]: () => Response.json({ detail }, { status: 422 }) });
    const form = { intent: "send-code", identifier: "ada@example.org" };
    expect(await action(args("/login", { form }))).toEqual({
      kind: "refused",
      values: { identifier: "ada@example.org" },
      error: "Authentication failed: Not valid. Please try again.",
      fields,
    });
  });

  it("E10 shows the server's message and keeps the typed code", async () => {
    const cookie = await requestCode();
    fakeExchange({ [auth]: () => refusal(401, "code_wrong", "This code is not right.") });
    expect(await action(args("/login", { cookie, form: { intent: "verify-code", code: "111111" } }))).toMatchObject({
      kind: "refused",
      error: "Authentication failed: This code is not right. Please try again.",
      values: { code: "111111" },
    });
  });

  it("C05 T25 accepts an earlier code of this browser, because no later e-mail may have been sent", async () => {
    const cookie = await requestCode(await requestCode(), "c2");
    const exchange = fakeExchange({
      [auth]: (_, body) =>
        JSON.stringify(body).includes('"c1"')
          ? Response.json({ access_token: "a" })
          : refusal(401, "code_wrong", "This code is not right."),
    });
    const form = { intent: "verify-code", code: "123456" };
    expect((await responseOf(action(args("/login?redirect=/swap", { cookie, form })))).status).toBe(302);
    expect(exchange.count(auth)).toBe(2);
  });

  it("E07 E08 E09 shows the error for each failure", async () => {
    const send = { form: { intent: "send-code", identifier: "ada@example.org" } };
    fakeExchange({ [auth]: () => Response.json({ challenge_id: "c", challenge: "email" }) });
    expect(await action(args("/login", send))).toMatchObject({
      kind: "refused",
      error: "Authentication failed: Server Error",
      values: { identifier: "ada@example.org" },
    });
    fakeExchange({ [auth]: () => Response.json({}, { status: 202 }) });
    expect(await action(args("/login", send))).toMatchObject({ error: "Server Error" });
    fakeExchange({
      [auth]: () => {
        throw new TypeError("fetch failed");
      },
    });
    expect(await action(args("/login", send))).toEqual({
      kind: "refused",
      values: { identifier: "ada@example.org" },
      error: "Authentication failed. Please try again.",
      fields: {},
    });
    // A refusal that does not say why.
    fakeExchange({ [auth]: () => Response.json({}, { status: 400 }) });
    expect(await action(args("/login", send))).toEqual({
      kind: "refused",
      values: { identifier: "ada@example.org" },
      error: "Authentication failed. Please try again.",
      fields: {},
    });
  });

  it("E01 shows Unauthorized for a 403 on the user, and the text of any other failure", async () => {
    const cookie = await sessionCookie();
    const load = () => withoutRetryWaits(async () => loader(args("/login", { cookie })));
    fakeExchange({ [me]: () => refusal(403, "user_blocked", "Blocked") });
    expect(await load()).toMatchObject({ screen: { kind: "sign-in" }, notice: { kind: "blocked" } });
    fakeExchange({ [me]: () => refusal(500, "internal", "From the server") });
    expect(await load()).toMatchObject({
      notice: { title: "From the server", hint: "We couldn't load your account. Try again in a moment." },
    });
    fakeExchange({ [me]: () => Response.json({}, { status: 500 }) });
    expect(await load()).toMatchObject({ notice: { title: "Error fetching user" } });
    fakeExchange({
      [me]: () => {
        throw new TypeError("fetch failed");
      },
    });
    expect(await load()).toMatchObject({ notice: { title: "An error occurred fetching user" } });
    fakeExchange({ [me]: () => Response.json({ is_active: "maybe" }) });
    expect(await load()).toMatchObject({ notice: { title: "An unknown error occurred" } });
  });
});

describe("/login, passkey", () => {
  const options = {
    "POST /api/auth/passkey/login-options": () => Response.json({ challenge_id: "c2", options: { challenge: "x" } }),
  };
  const started = async () => {
    fakeExchange(options);
    const request = args("/login", { form: { intent: "passkey-options", identifier: "ada@example.org" } });
    expect(await action(request)).toEqual({ kind: "options", options: { challenge: "x" } });
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    return cookieOf(headers, "challenge-passkey");
  };

  it("C08 C06 V08 R15 signs in and redirects to the requested page", async () => {
    const cookie = await started();
    const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a", refresh_token: "r" }) });
    const form = { intent: "passkey-verify", credential: JSON.stringify({ id: "k" }) };
    const response = await responseOf(action(args("/login?redirect=/doger", { cookie, form })));
    expect(response.headers.get("Location")).toBe("/doger");
    expect(exchange.calls[0]?.body).toMatchObject({ credentials: { challenge_id: "c2", auth_data: { id: "k" } } });
    expect(await readSession(response.headers)).toEqual({ access: "a", refresh: "r", passkey: true });
  });

  it("C06 R15 signs in with a passkey that the browser suggests for any account", async () => {
    const starting = fakeExchange({
      [auth]: () => Response.json({ challenge_id: "c5", challenge: { challenge: "y" } }, { status: 202 }),
    });
    const request = args("/login", { form: { intent: "autofill-options" } });
    expect(await action(request)).toEqual({ kind: "options", options: { challenge: "y" } });
    expect(starting.calls[0]?.body).toEqual({ auth_method: "passkey" });
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a", refresh_token: "r" }) });
    const form = { intent: "autofill-verify", credential: '{"id":"k"}' };
    const cookie = cookieOf(headers, "challenge-autofill");
    const response = await responseOf(action(args("/login?redirect=/doger", { cookie, form })));
    expect(response.headers.get("Location")).toBe("/doger");
    expect(exchange.calls[0]?.body).toMatchObject({ credentials: { challenge_id: "c5", auth_data: { id: "k" } } });
    expect(await readSession(response.headers)).toMatchObject({ passkey: true });
  });

  it("E08 E11 E12 reports why the browser cannot suggest a passkey", async () => {
    const outcomes: [Response, string][] = [
      [Response.json({ challenge_id: "c5", challenge: "email" }, { status: 202 }), "Server Error"],
      [Response.json({ challenge_id: "c5" }, { status: 202 }), "Server Error"],
      [refusal(401, "passkeys_none", "x"), "No passkeys registered for user"],
      [refusal(400, "bad_request", "x"), "Authentication failed"],
    ];
    for (const [response, error] of outcomes) {
      fakeExchange({ [auth]: () => response });
      expect(await action(args("/login", { form: { intent: "autofill-options" } }))).toMatchObject({ error });
    }
  });

  it("E08 C08 reports that the challenge is missing from the options", async () => {
    const start = { form: { intent: "passkey-options", identifier: "ada@example.org" } };
    for (const body of [{ options: {} }, { challenge_id: "c2" }, {}]) {
      fakeExchange({ "POST /api/auth/passkey/login-options": () => Response.json(body) });
      expect(await action(args("/login", start))).toMatchObject({
        kind: "refused",
        error: "Server Error",
        values: { identifier: "ada@example.org" },
      });
    }
  });

  it("E07 V08 reports that the access token is missing", async () => {
    const cookie = await started();
    fakeExchange({ [auth]: () => Response.json({ refresh_token: "r" }) });
    const form = { intent: "passkey-verify", credential: '{"id":"k"}' };
    expect(await action(args("/login", { cookie, form }))).toEqual({
      kind: "refused",
      error: "Authentication failed: Server Error",
    });
  });

  it.each(badCredentials)(
    "E14 refuses what is not a passkey's response without calling the exchange: %s",
    async (credential) => {
      const cookie = await started();
      const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a" }) });
      const form = { intent: "passkey-verify", credential };
      expect(await action(args("/login", { cookie, form }))).toEqual({
        kind: "refused",
        error: "Failed completing passkey authentication",
      });
      expect(exchange.calls).toEqual([]);
    },
  );

  it("T3 E14 refuses the response to another browser's challenge, without calling the exchange", async () => {
    await started();
    const exchange = fakeExchange({ [auth]: () => Response.json({ access_token: "a" }) });
    for (const intent of ["passkey-verify", "autofill-verify"]) {
      expect(await action(args("/login", { form: { intent, credential: '{"id":"k"}' } }))).toEqual({
        kind: "refused",
        error: "Failed completing passkey authentication",
      });
    }
    expect(exchange.calls).toEqual([]);
  });

  it("E11 on a 401 for the signed challenge signs out and clears the stored passkey", async () => {
    const challenges = await started();
    const exchange = fakeExchange({
      [auth]: () => refusal(401, "passkey_unknown", "x"),
      "POST /api/auth/logout": () => new Response(null, { status: 204 }),
    });
    const request = args("/login", {
      cookie: `${await sessionCookie({ passkey: false })}; ${challenges}`,
      form: { intent: "passkey-verify", credential: '{"id":"k"}' },
    });
    expect(await action(request)).toEqual({
      kind: "refused",
      error: "No passkeys registered for user",
      hint: expect.stringContaining("This passkey was removed, or we couldn't verify it."),
      code: "passkey_unknown",
      clearStoredPasskey: true,
    });
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    expect(await readSession(headers)).toBeNull();
    expect(exchange.count("POST /api/auth/logout")).toBe(1);
  });

  it("E11 on a 401 reports that there are no passkeys, signs out and clears the stored passkey", async () => {
    fakeExchange({ "POST /api/auth/passkey/login-options": () => refusal(401, "passkeys_none", "x") });
    const request = args("/login", {
      cookie: await sessionCookie({ passkey: false }),
      form: { intent: "passkey-options", identifier: "ada@example.org" },
    });
    expect(await action(request)).toEqual({
      kind: "refused",
      values: { identifier: "ada@example.org" },
      error: "No passkeys registered for user",
      hint: expect.stringContaining("If you are new, create an account."),
      code: "passkeys_none",
      clearStoredPasskey: true,
    });
    expect((await getScope(request)).isSignedIn).toBe(false);
  });

  it("E11 says to start again if the challenge has expired", async () => {
    const cookie = await started();
    fakeExchange({ [auth]: () => refusal(401, "challenge_invalid", "Start again.") });
    const form = { intent: "passkey-verify", credential: '{"id":"k"}' };
    expect(await action(args("/login", { cookie, form }))).toMatchObject({
      kind: "refused",
      error: "No passkeys registered for user",
      hint: "Start again.",
    });
  });

  it("E10 E14 tells a blocked customer what happens to their money, and whom to ask", async () => {
    const blocked = { [auth]: () => refusal(403, "user_blocked", "Unauthorized") };
    const signIns: Parameters<typeof args>[1][] = [
      { cookie: await started(), form: { intent: "passkey-verify", credential: '{"id":"k"}' } },
      { cookie: await requestCode(), form: { intent: "verify-code", code: "111111" } },
    ];
    const hints = async () => {
      fakeExchange(blocked);
      return Promise.all(
        signIns.map(async (request) => ((await action(args("/login", request))) as SignInRefused).hint),
      );
    };
    const text =
      "This account can't be used at the moment. If you have already paid for a swap, we complete it or refund it.";
    expect(await hints()).toEqual([text, text]);
    const contact = vi.spyOn(getConfig().exchange, "supportEmail", "get").mockReturnValue("help@antelope.example");
    expect(await hints()).toEqual(Array(2).fill(`${text} To ask why, use Contact at the end of this page.`));
    contact.mockRestore();
  });

  it("E12 E14 shows the error for each other failure", async () => {
    fakeExchange({ "POST /api/auth/passkey/login-options": () => refusal(500, "internal", "x") });
    expect(
      await action(args("/login", { form: { intent: "passkey-options", identifier: "ada@example.org" } })),
    ).toMatchObject({ error: "Authentication failed", hint: "x", values: { identifier: "ada@example.org" } });
    const cookie = await started();
    fakeExchange({ [auth]: () => refusal(400, "bad_request", "x") });
    expect(
      await action(args("/login", { cookie, form: { intent: "passkey-verify", credential: '{"id":"k"}' } })),
    ).toMatchObject({
      kind: "refused",
      error: "Failed completing passkey authentication",
      hint: "x",
    });
  });
});

describe("/register", () => {
  const register = "POST /api/auth/passkey/register";
  const form = { intent: "registration-options", identifier: "ada@example.org" };
  const started = async () => {
    fakeExchange({ [register]: () => Response.json({ challenge_id: "c3", options: { challenge: "x" } }) });
    const request = args("/register", { form });
    expect(await registerAction(request)).toEqual({ kind: "options", options: { challenge: "x" } });
    const headers = new Headers();
    (await getScope(request)).writeCookies(headers);
    return cookieOf(headers, "challenge-registration");
  };

  it("C09 C10 R15 creates the account and signs in with its passkey", async () => {
    const cookie = await started();
    const exchange = fakeExchange({
      [`${register}/verify`]: () => Response.json({ access_token: "a", refresh_token: "r" }),
    });
    const verify = { intent: "registration-verify", credential: '{"id":"k"}' };
    const response = await responseOf(registerAction(args("/register?redirect=/kyc", { cookie, form: verify })));
    expect(response.headers.get("Location")).toBe("/kyc");
    expect(exchange.calls[0]?.body).toEqual({
      identifier: "ada@example.org",
      challenge_id: "c3",
      attestation: { id: "k" },
    });
    expect(await readSession(response.headers)).toMatchObject({ passkey: true });
  });

  it.each([
    ["/swap/usdt-to-mob?amount=5", "sends the code", ["ada@example.org"]],
    ["/doger", "sends no code", []],
  ])("on the way to %s, %s for confirming the address", async (redirect, _, recipients) => {
    const cookie = await started();
    const exchange = fakeExchange({
      [`${register}/verify`]: () => Response.json({ access_token: "a", refresh_token: "r" }),
      [auth]: () => Response.json({ challenge_id: "c4", challenge: "email" }, { status: 202 }),
    });
    const path = `/register?${new URLSearchParams({ redirect })}`;
    const request = args(path, { cookie, form: { intent: "registration-verify", credential: '{"id":"k"}' } });
    expect((await responseOf(registerAction(request))).headers.get("Location")).toBe(redirect);
    const sent = exchange.calls.filter(({ call }) => call === auth).map(({ body }) => body);
    expect(sent).toEqual(recipients.map((identifier) => ({ auth_method: "email", credentials: { identifier } })));
    const pending = (await getScope(request)).getChallenge("proof");
    expect(pending).toEqual(recipients.length === 0 ? null : { challengeId: "c4", identifier: "ada@example.org" });
  });

  it("leads to /swap and does not send a code if there is no page to return to", async () => {
    const cookie = await started();
    const exchange = fakeExchange({
      [`${register}/verify`]: () => Response.json({ access_token: "a", refresh_token: "r" }),
    });
    const verify = { intent: "registration-verify", credential: '{"id":"k"}' };
    const response = await responseOf(registerAction(args("/register", { cookie, form: verify })));
    expect(response.headers.get("Location")).toBe("/swap");
    expect(exchange.calls.map(({ call }) => call)).toEqual([`${register}/verify`]);
  });

  it.each(badCredentials)(
    "E15 refuses what is not a passkey's response without calling the exchange: %s",
    async (credential) => {
      const cookie = await started();
      const exchange = fakeExchange({ [`${register}/verify`]: () => Response.json({ access_token: "a" }) });
      const form = { intent: "registration-verify", credential };
      expect(await registerAction(args("/register", { cookie, form }))).toEqual({
        kind: "refused",
        error: "Failed to register passkey",
        clearStoredPasskey: true,
      });
      expect(exchange.calls).toEqual([]);
    },
  );

  it("T3 E15 refuses a passkey for a challenge of another browser, without calling the exchange", async () => {
    await started();
    const exchange = fakeExchange({ [`${register}/verify`]: () => Response.json({ access_token: "a" }) });
    const form = { intent: "registration-verify", credential: '{"id":"k"}' };
    expect(await registerAction(args("/register?redirect=/swap", { form }))).toEqual({
      kind: "refused",
      error: "Failed to register passkey",
      clearStoredPasskey: true,
    });
    expect(exchange.calls).toEqual([]);
  });

  it("E13 reports that registration could not start; V07 requires an identifier", async () => {
    fakeExchange({ [register]: () => refusal(401, "token_missing", "Sign in") });
    const failed = {
      kind: "refused",
      values: { identifier: "ada@example.org" },
      error: "Failed to start passkey registration",
      clearStoredPasskey: true,
    };
    expect(await registerAction(args("/register", { form }))).toEqual({
      ...failed,
      hint: expect.stringContaining("already has an account"),
      code: "token_missing",
    });
    fakeExchange({ [register]: () => refusal(403, "passkey_too_old", "Confirm with your passkey.") });
    expect(await registerAction(args("/register", { form }))).toEqual({
      ...failed,
      hint: "Confirm with your passkey.",
      code: "passkey_too_old",
    });
    fakeExchange({ [register]: () => Promise.reject(new TypeError("fetch failed")) });
    expect(await registerAction(args("/register", { form }))).toEqual(failed);
    expect(await registerAction(args("/register", { form: { ...form, identifier: "" } }))).toMatchObject({
      fields: { identifier: expect.any(String) },
    });
  });

  it("E08 C09 reports that the challenge is missing from the options", async () => {
    for (const body of [{ options: {} }, { challenge_id: "c3" }, {}]) {
      fakeExchange({ [register]: () => Response.json(body) });
      expect(await registerAction(args("/register", { form }))).toMatchObject({
        kind: "refused",
        error: "Server Error",
        clearStoredPasskey: true,
      });
    }
  });

  it("E15 E16 reports that registration failed and clears the stored passkey", async () => {
    const verify = { intent: "registration-verify", credential: '{"id":"k"}' };
    const cookie = await started();
    fakeExchange({ [`${register}/verify`]: () => refusal(401, "passkey_invalid", "x") });
    expect(await registerAction(args("/register", { cookie, form: verify }))).toMatchObject({
      kind: "refused",
      error: "Failed to register passkey",
      hint: "x",
      code: "passkey_invalid",
      clearStoredPasskey: true,
    });
    fakeExchange({ [`${register}/verify`]: () => Promise.reject(new TypeError("fetch failed")) });
    expect(await registerAction(args("/register", { cookie, form: verify }))).toEqual({
      kind: "refused",
      error: "Failed to register passkey",
      clearStoredPasskey: true,
    });
    fakeExchange({ [`${register}/verify`]: () => Response.json({}) });
    expect(await registerAction(args("/register", { cookie, form: verify }))).toMatchObject({
      kind: "refused",
      error: "Failed to regigister and login with passkey",
      clearStoredPasskey: true,
    });
  });
});

describe("T4 signing in while signed in", () => {
  const verify = { intent: "registration-verify", credential: '{"id":"k"}' };
  const signedIn = () => sessionCookie({ passkey: false });
  const registered = {
    [me]: () => Response.json(makeUser({ passkey_authenticated: false })),
    "POST /api/auth/passkey/register": () => Response.json({ challenge_id: "c4", options: {} }),
    "POST /api/auth/passkey/register/verify": () => Response.json({ access_token: "a", refresh_token: "r" }),
  };
  /** Adds a passkey to an e-mail session at /login. `overrides` replaces some of the exchange's responses. */
  async function stepUp(overrides: Parameters<typeof fakeExchange>[0]) {
    fakeExchange(registered);
    const cookie = await signedIn();
    const started = args("/login", { cookie, form: { intent: "registration-options" } });
    await action(started);
    const headers = new Headers();
    (await getScope(started)).writeCookies(headers);
    const exchange = fakeExchange({ ...registered, ...overrides });
    const cookies = `${cookie}; ${cookieOf(headers, "challenge-registration")}`;
    const response = await responseOf(action(args("/login", { cookie: cookies, form: verify })));
    expect(await readSession(response.headers)).toEqual({ access: "a", refresh: "r", passkey: true });
    return exchange;
  }

  it("C09 a passkey is added to the account's own address, whatever the form says", async () => {
    const exchange = fakeExchange(registered);
    const form = { intent: "registration-options", identifier: "eve@example.org" };
    await action(args("/login", { cookie: await signedIn(), form }));
    expect(exchange.calls.at(-1)?.body).toEqual({ identifier: "ada@example.org" });
  });

  it("C09 a visitor who is no longer signed in is sent back to the page, to sign in", async () => {
    const exchange = fakeExchange(registered);
    const form = { intent: "registration-options", identifier: "eve@example.org" };
    const response = await responseOf(action(args("/login?redirect=/kyc", { form })));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fkyc");
    expect(exchange.calls).toEqual([]);
  });

  it("/register sends a signed-in visitor to /login, and keeps where they wanted to go", async () => {
    fakeExchange(registered);
    const cookie = await signedIn();
    const response = await responseOf(registerLoader(args("/register?redirect=/kyc", { cookie })));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fkyc");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
    expect(await registerLoader(args("/register?redirect=/kyc"))).toEqual({ redirect: "/kyc" });
  });

  it("C10 adding a passkey to an e-mail session ends that session at the exchange", async () => {
    const exchange = await stepUp({ "POST /api/auth/logout": () => new Response(null, { status: 204 }) });
    expect(exchange.calls.map(({ call, token }) => [call, token]).slice(-2)).toEqual([
      ["POST /api/auth/passkey/register/verify", "access-1"],
      ["POST /api/auth/logout", "access-1"],
    ]);
  });

  it("C10 S05 renews an expired token before the passkey is verified, which works only once", async () => {
    const exchange = await stepUp({
      [me]: (request) =>
        request.headers.get("X-Auth-Token") === "access-1b"
          ? registered[me]()
          : refusal(401, "token_expired", "Token expired"),
      "POST /api/auth/refresh": () => Response.json({ access_token: "access-1b", refresh_token: "refresh-1b" }),
    });
    const verified = exchange.calls.filter(({ call }) => call === "POST /api/auth/passkey/register/verify");
    expect(verified.map(({ token }) => token)).toEqual(["access-1b"]);
  });

  it("C07 ends the earlier session even if its access token has expired, and whether or not the exchange responds", async () => {
    const renewed = await stepUp({
      "POST /api/auth/refresh": () => Response.json({ access_token: "access-1b", refresh_token: "refresh-1b" }),
      "POST /api/auth/logout": (request) =>
        request.headers.get("X-Auth-Token") === "access-1b"
          ? new Response(null, { status: 204 })
          : refusal(401, "token_expired", "Token expired"),
    });
    expect(renewed.calls.at(-1)).toMatchObject({ call: "POST /api/auth/logout", token: "access-1b" });
    const unreachable = {
      "POST /api/auth/logout": () => {
        throw new TypeError("fetch failed");
      },
    };
    await withoutRetryWaits(() => stepUp(unreachable));
  });
});

describe("sign-in forms", () => {
  it.each([
    ["/login", "send-code", action],
    ["/login", "passkey-options", action],
    ["/register", "registration-options", registerAction],
  ])("V07 %s %s requires an identifier, and does not call the exchange without one", async (path, intent, post) => {
    const { calls } = fakeExchange({});
    for (const identifier of [undefined, "", "  ", "ada", "ada@", "@example.org"]) {
      const form: Record<string, string> = identifier === undefined ? { intent } : { intent, identifier };
      expect(await post(args(path, { form }))).toMatchObject({
        fields: { identifier: "Enter your e-mail address, such as ada@example.org." },
        values: { identifier },
      });
    }
    expect(calls).toEqual([]);
  });

  it.each([
    ["/login", action],
    ["/register", registerAction],
  ])("%s refuses an unknown or missing intent with a 400 that says why", async (path, post) => {
    const forms: Record<string, string>[] = [{ intent: "transfer" }, { identifier: "ada@example.org" }];
    for (const form of forms) {
      const response = await responseOf(post(args(path, { form })));
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(/Reload the page/);
    }
  });

  it.each([
    ["send-code", { fields: { identifier: "Enter your e-mail address, such as ada@example.org." } }],
    ["verify-code", { fields: { code: "Enter the six digits from the e-mail." } }],
    ["passkey-options", { fields: { identifier: "Enter your e-mail address, such as ada@example.org." } }],
    ["passkey-verify", { error: "Failed completing passkey authentication", fields: {} }],
    ["autofill-verify", { error: "Failed completing passkey authentication", fields: {} }],
    ["registration-verify", { error: "Failed to register passkey", fields: {} }],
  ])("reports what is missing from %s without calling the exchange", async (intent, result) => {
    const { calls } = fakeExchange({});
    const refused = { kind: "refused", values: {}, ...result };
    expect(await action(args("/login", { form: { intent } }))).toEqual(refused);
    expect(calls).toEqual([]);
  });
});

describe("/logout", () => {
  const signOut = async () =>
    responseOf(logoutAction(args("/logout", { cookie: await sessionCookie(), form: { a: "1" } })));

  it.each([
    ["it responds", () => new Response(null, { status: 204 })],
    ["the session has ended already", () => refusal(401, "token_expired", "Token expired")],
    ["the account is blocked", () => refusal(403, "user_blocked", "Unauthorized")],
  ])(
    "T11 T12 ends the session at the exchange and in the browser, without saying more if %s",
    async (_name, respond) => {
      const exchange = fakeExchange({ "POST /api/auth/logout": respond });
      const response = await signOut();
      expect(exchange.count("POST /api/auth/logout")).toBe(1);
      expect(response.headers.get("Location")).toBe("/login");
      expect(response.headers.get("Clear-Site-Data")).toBe('"cache"');
      expect(await readSession(response.headers)).toBeNull();
      expect(cookieOf(response.headers, "leftOpen")).toBe("");
    },
  );

  it.each([
    ["fails every time", () => refusal(500, "internal", "x"), 4],
    ["asks visitors to wait for a long time", () => refusal(429, "rate_limited", "x", { "Retry-After": "40" }), 1],
  ])("T11 T12 says that the session may still be open if the exchange %s", async (_name, respond, attempts) => {
    const exchange = fakeExchange({ "POST /api/auth/logout": respond });
    const { headers } = await withoutRetryWaits(signOut);
    expect(exchange.count("POST /api/auth/logout")).toBe(attempts);
    expect([headers.get("Location"), await readSession(headers)]).toEqual(["/login", null]);
    const cookie = cookieOf(headers, "leftOpen");
    fakeExchange({});
    const request = args("/login", { cookie });
    expect(await loader(request)).toMatchObject({ screen: { kind: "sign-in" }, notice: { kind: "left-open" } });
    expect((await getScope(request)).isPrivate).toBe(true);

    const challenge = await requestCode();
    fakeExchange({ [auth]: () => Response.json({ access_token: "a" }) });
    const form = { intent: "verify-code", code: "123456" };
    const signedIn = await responseOf(action(args("/login", { cookie: `${cookie}; ${challenge}`, form })));
    expect(signedIn.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^leftOpen=true; Max-Age=0;/));
  });

  it("T12 tries again to end the session after a failure", async () => {
    const responses = [refusal(503, "starting", "x", { "Retry-After": "0" }), new Response(null, { status: 204 })];
    const exchange = fakeExchange({ "POST /api/auth/logout": () => responses.shift() as Response });
    expect(cookieOf((await signOut()).headers, "leftOpen")).toBe("");
    expect(exchange.count("POST /api/auth/logout")).toBe(2);
  });

  it("ends a session only when its form is posted: a visit goes home, replacing history", async () => {
    const { calls } = fakeExchange({});
    const response = await responseOf(logoutLoader(args("/logout", { cookie: await sessionCookie() })));
    expect(response.headers.get("Location")).toBe("/");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
    expect(await readSession(response.headers)).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it("does not call the exchange without a session", async () => {
    const { calls } = fakeExchange({});
    const response = await responseOf(logoutAction(args("/logout", { form: {} })));
    expect(response.headers.get("Location")).toBe("/login");
    expect(calls).toEqual([]);
  });
});
