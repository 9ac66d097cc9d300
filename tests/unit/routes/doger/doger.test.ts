import { describe, expect, it, vi } from "vitest";
import type { Order } from "~/api/contract";
import { listCurrentVersions } from "~/content/legal.server";
import { toCsvLine } from "~/lib/csv";
import * as errorTexts from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { loader as dataLoader } from "~/routes/doger/data-zip/route";
import { action, loader } from "~/routes/doger/route";
import { exportHeader, toOrderCells } from "~/routes/doger/swaps-csv/order-cells";
import { loader as exportLoader } from "~/routes/doger/swaps-csv/route";
import { redirectTo } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { makeCompletedOrder, makeTransaction } from "../../../support/orders";
import { makeRates } from "../../../support/rates";
import {
  args,
  exchangeUnreachable,
  fakeExchange,
  makeUser,
  origin,
  readSession,
  refusal,
  responseOf,
  sessionCookie,
  withoutRetryWaits,
} from "../../../support/site";

const me = { "GET /api/users/me": () => Response.json(makeUser()) };
const session = (id: string, current: boolean) => ({
  id,
  method: "passkey",
  created_at: "2026-01-01T00:00:00.000Z",
  last_used_at: "2026-01-01T00:00:00.000Z",
  current,
  user_agent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
});
const passkey = {
  id: "p1",
  name: "Phone",
  created_at: "2026-01-01T00:00:00.000Z",
  last_used_at: null,
  backed_up: true,
};

/** An exchange with these orders, two per page. */
function withOrders(orders: Order[]) {
  return {
    ...me,
    "GET /api/swap/swaps": (request: Request) => {
      const { searchParams } = new URL(request.url);
      const limit = Math.min(2, Number(searchParams.get("limit")));
      const from = Number(searchParams.get("cursor") ?? 0);
      if (Number.isNaN(from)) return refusal(422, "invalid", "No such cursor.");
      const next = from + limit < orders.length ? String(from + limit) : null;
      return Response.json({ items: orders.slice(from, from + limit), next });
    },
    "GET /api/users/me/passkeys": () => Response.json({ items: [passkey], next: null }),
    "GET /api/users/me/consents": () => Response.json({ items: [] }),
    "GET /api/users/me/mail-preferences": () => Response.json({ payment_seen: true, paid_out: true, refunded: true }),
    "GET /api/users/me/sessions": () => Response.json({ items: [session("s1", true)], next: null }),
    "GET /api/users/me/price-alerts": () => Response.json({ items: [] }),
  };
}

const open = async (path = "/doger") => args(path, { cookie: await sessionCookie() });
const post = async (form: Record<string, string>) => action(args("/doger", { cookie: await sessionCookie(), form }));

describe("/doger", () => {
  it.each([
    ["the page", () => loader(args("/doger?cursor=1"))],
    ["an action on it", () => action(args("/doger", { form: { intent: "end-other-sessions" } }))],
  ])(
    "R14 S01 without a passkey %s redirects to /login?redirect=/kyc&message=true, replacing history",
    async (_, request) => {
      const { calls } = fakeExchange({});
      const response = await responseOf(request());
      expect(response.headers.get("Location")).toBe("/login?redirect=%2Fkyc&message=true");
      expect(response.headers.get("X-Remix-Replace")).toBe("true");
      expect(calls).toEqual([]);
    },
  );

  it.each([
    ["the export", "/doger?state=completed", () => exportLoader(args("/doger/export.csv?state=completed&since=never"))],
    ["the copy of all data", "/doger#your-data", () => dataLoader(args("/doger/data.zip"))],
  ])("S01 without a passkey %s leads to /login, which returns to %s", async (_, page, request) => {
    const { calls } = fakeExchange({});
    const response = await responseOf(request());
    expect(response.headers.get("Location")).toBe(paths.login({ redirect: page, message: true }));
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
    expect(calls).toEqual([]);
  });

  it("R14 an e-mail session does not count as a passkey login", async () => {
    fakeExchange(me);
    const cookie = await sessionCookie({ passkey: false });
    const response = await responseOf(loader(args("/doger", { cookie })));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fkyc&message=true");
  });

  it("shows the price that alerts are compared with, which is without the spread, while it is reliable", async () => {
    const rates = makeRates({ rates: { USDT_MOB: "2.84", MOB_USDT: "0.349" } });
    fakeExchange({ ...withOrders([]), "GET /api/rates": () => Response.json(rates) });
    expect(await loader(await open())).toMatchObject({ alertRate: "0.35", rates: { MOB_USDT: "0.349" } });
    fakeExchange({ ...withOrders([]), "GET /api/rates": () => Response.json({ ...rates, rates: null }) });
    expect((await loader(await open())).alertRate).toBeNull();
  });

  it("S09 totals include all orders, whichever page is shown", async () => {
    const failed = makeTransaction({ amount: "1000", status: "failed" });
    fakeExchange(
      withOrders(
        [1, 2, 3, 4, 5].map((n) => makeCompletedOrder({ id: `o${n}`, incoming_txs: [makeTransaction(), failed] })),
      ),
    );
    const first = await loader(await open());
    expect(first.orders.map(({ id }) => id)).toEqual(["o1", "o2"]);
    expect(first).toMatchObject({ next: "2", newest: true, count: { orders: 5, capped: false } });
    expect(first.count.totals[0]).toEqual({ asset: "USDT", deposited: "500", withdrawn: "0" });
    const last = await loader(await open("/doger?cursor=4"));
    expect(last).toMatchObject({ orders: [{ id: "o5" }], next: null, newest: false, count: { orders: 5 } });
  });

  it("S09 takes the totals from a server that adds them up, without reading further orders", async () => {
    const sums = { deposited: "500", withdrawn: "1.5" };
    const exchange = fakeExchange({
      ...withOrders([]),
      "GET /api/swap/swaps": () =>
        Response.json({
          items: [makeCompletedOrder({ id: "o1" })],
          next: "more",
          count: { orders: 2000, capped: true, totals: [{ asset_symbol: "MOB", ...sums }] },
        }),
    });
    const { count } = await loader(await open());
    expect(count).toEqual({ orders: 2000, capped: true, totals: [{ asset: "MOB", ...sums }] });
    expect(exchange.count("GET /api/swap/swaps")).toBe(1);
  });

  it("labels sessions by device and does not send user agents to the browser", async () => {
    fakeExchange(withOrders([]));
    const { sessions } = await loader(await open());
    expect(sessions).toMatchObject([{ id: "s1", device: "Firefox on Linux", current: true }]);
    expect(sessions[0]).not.toHaveProperty("user_agent");
  });

  it("passes the browser's user agent on to the exchange", async () => {
    const received: (string | null)[] = [];
    fakeExchange({
      ...withOrders([]),
      "GET /api/users/me/sessions": (request) => {
        received.push(request.headers.get("user-agent"));
        return Response.json({ items: [session("s1", true)], next: null });
      },
    });
    await loader(args("/doger", { cookie: await sessionCookie(), headers: { "user-agent": "Gazelle/1.0" } }));
    expect(received).toEqual(["Gazelle/1.0"]);
  });

  it("drops an invalid cursor, and one with which the exchange can't read the request", async () => {
    for (const status of [422, 400]) {
      fakeExchange({ ...withOrders([]), "GET /api/swap/swaps": () => refusal(status, "x", "No such cursor.") });
      const response = await responseOf(loader(await open("/doger?cursor=%00")));
      expect(response.headers.get("Location")).toBe("/doger");
    }
  });

  it("throws the exchange's error message, and drops a cursor only if that is what the exchange refuses", async () => {
    for (const [status, path] of [
      [409, "/doger"],
      [422, "/doger"],
      [409, "/doger?cursor=1"],
    ] as const) {
      fakeExchange({ ...withOrders([]), "GET /api/swap/swaps": () => refusal(status, "x", "Not now.") });
      const data = { message: "Not now." };
      await expect(loader(await open(path))).rejects.toMatchObject({ data, init: { status } });
    }
  });

  it("lists the documents that the customer has accepted, and those they have not", async () => {
    const [terms, privacy] = listCurrentVersions();
    const accepted = { ...terms, accepted_at: "2026-01-01T00:00:00.000Z" };
    fakeExchange({
      ...withOrders([]),
      "GET /api/users/me/consents": () => Response.json({ items: [accepted] }),
    });
    expect((await loader(await open())).consents).toMatchObject({ open: [privacy], accepted: [accepted] });
    expect((await loader(await open())).consents?.open).toHaveLength(1);
  });

  it("leaves out what a server (API_URL) doesn't know", async () => {
    fakeExchange(
      Object.fromEntries(
        Object.entries(withOrders([])).filter(([call]) => !/price-alerts|mail-preferences|consents/.test(call)),
      ),
    );
    expect(await loader(await open())).toMatchObject({ alerts: null, mails: null, consents: null });
  });
});

describe("passkeys on /doger", () => {
  it("renames a passkey, and refuses a name without visible characters", async () => {
    const exchange = fakeExchange({ ...me, "PATCH /api/users/me/passkeys/p1": () => Response.json(passkey) });
    expect(await post({ intent: "rename-passkey", id: "p1", name: "  Work phone " })).toEqual({
      about: "passkeys",
      kind: "done",
      text: "Passkey renamed to “Work phone”.",
    });
    expect(exchange.calls.at(-1)?.body).toEqual({ name: "Work phone" });
    for (const name of [" ", "x".repeat(61)]) {
      expect(await post({ intent: "rename-passkey", id: "p1", name })).toEqual({
        about: "passkeys",
        kind: "refused",
        error: "The name wasn't changed.",
        fields: { p1: "Enter a name of 1 to 60 characters." },
        values: { name },
      });
    }
  });

  it("does not say that a passkey was renamed that has been removed, for example in another tab", async () => {
    fakeExchange(me);
    expect(await post({ intent: "rename-passkey", id: "p1", name: "Work phone" })).toEqual({
      about: "passkeys",
      kind: "refused",
      error: "The name wasn't changed, because this passkey was removed.",
    });
  });

  it("removes a passkey, even if it was already removed", async () => {
    fakeExchange({ ...me, "DELETE /api/users/me/passkeys/p1": () => new Response(null, { status: 204 }) });
    const done = { about: "passkeys", kind: "done", text: expect.stringContaining("removed") };
    expect(await post({ intent: "remove-passkey", id: "p1" })).toEqual(done);
    expect(await post({ intent: "remove-passkey", id: "p2" })).toEqual(done);
  });

  it("shows the exchange's message when the last passkey cannot be removed", async () => {
    const message = "This is your only way to sign in. Add another passkey or prove your e-mail first.";
    fakeExchange({ ...me, "DELETE /api/users/me/passkeys/p1": () => refusal(409, "passkey_last", message) });
    expect(await post({ intent: "remove-passkey", id: "p1" })).toEqual({
      about: "passkeys",
      kind: "refused",
      error: message,
      code: "passkey_last",
    });
    fakeExchange({ ...me, "DELETE /api/users/me/passkeys/p1": () => new Response("<html>", { status: 409 }) });
    const unknown = { about: "passkeys", kind: "refused", error: "An unknown error occurred", code: "" };
    expect(await post({ intent: "remove-passkey", id: "p1" })).toEqual(unknown);
  });

  it("T32 asks for the passkey again if the sign-in was too long ago", async () => {
    const tooOld = () => refusal(403, "passkey_too_old", "Confirm with your passkey once more to do this.");
    fakeExchange({ ...me, "DELETE /api/users/me/passkeys/p1": tooOld, "POST /api/auth/passkey/register": tooOld });
    expect(await post({ intent: "remove-passkey", id: "p1" })).toMatchObject({
      kind: "refused",
      code: "passkey_too_old",
    });
    expect(await post({ intent: "registration-options" })).toMatchObject({
      about: "passkeys",
      code: "passkey_too_old",
    });
  });

  it("T32 confirming starts a new session for this account and ends the old one", async () => {
    const exchange = fakeExchange({
      ...me,
      "POST /api/auth/passkey/login-options": () => Response.json({ challenge_id: "c1", options: { challenge: "x" } }),
      "POST /api/auth": () => Response.json({ access_token: "access-2", refresh_token: "refresh-2" }),
      "POST /api/auth/logout": () => new Response(null, { status: 204 }),
    });
    const cookie = await sessionCookie();
    const requesting = args("/doger", { cookie, form: { intent: "passkey-options", identifier: "eve@evil.example" } });
    expect(await action(requesting)).toEqual({ about: "passkeys", kind: "options", options: { challenge: "x" } });
    expect(exchange.calls.at(-1)?.body).toEqual({ identifier: "ada@example.org" });
    const headers = new Headers();
    (await getScope(requesting)).writeCookies(headers);
    const challenge = headers.getSetCookie()[0]?.split(";", 1)[0];

    const credential = JSON.stringify({ id: "k" });
    const verifying = args("/doger", {
      cookie: `${cookie}; ${challenge}`,
      form: { intent: "passkey-verify", credential },
    });
    expect(await action(verifying)).toEqual({ about: "passkeys", kind: "done", text: "Confirmed. Now try again." });
    expect(exchange.calls.slice(-2)).toMatchObject([
      // With the token, the browser's notifications continue in the new session.
      { call: "POST /api/auth", token: "access-1" },
      { call: "POST /api/auth/logout", token: "access-1" },
    ]);
    const final = new Headers();
    (await getScope(verifying)).writeCookies(final);
    expect(await readSession(final)).toEqual({ access: "access-2", refresh: "refresh-2", passkey: true });
    // Another browser has no such challenge.
    expect(await post({ intent: "passkey-verify", credential })).toEqual({
      about: "passkeys",
      kind: "refused",
      error: errorTexts.passkeyCompletionFailed,
    });
  });

  it("stays signed in if a confirmation fails, and says why", async () => {
    fakeExchange({
      ...me,
      "POST /api/auth/passkey/login-options": () => Response.json({ challenge_id: "c1", options: { challenge: "x" } }),
      "POST /api/auth": () => refusal(401, "challenge_invalid", "Start again."),
    });
    const cookie = await sessionCookie();
    const starting = args("/doger", { cookie, form: { intent: "passkey-options" } });
    await action(starting);
    const { headers } = await redirectTo(starting, "/doger");
    const request = args("/doger", {
      cookie: `${cookie}; ${headers.getSetCookie()[0]?.split(";", 1)[0]}`,
      form: { intent: "passkey-verify", credential: JSON.stringify({ id: "k" }) },
    });
    expect(await action(request)).toEqual({
      about: "passkeys",
      kind: "refused",
      error: errorTexts.passkeyCompletionFailed,
      hint: "Start again.",
    });
    expect((await getScope(request)).isPasskeyAuthenticated).toBe(true);
  });

  it("adds a passkey to this account", async () => {
    const exchange = fakeExchange({
      ...me,
      "POST /api/auth/passkey/register": () => Response.json({ challenge_id: "c1", options: { challenge: "x" } }),
      "POST /api/auth/passkey/register/verify": () => Response.json({ access_token: "access-2" }),
      "POST /api/auth/logout": () => new Response(null, { status: 204 }),
    });
    const cookie = await sessionCookie();
    const starting = args("/doger", {
      cookie,
      form: { intent: "registration-options", identifier: "eve@evil.example" },
    });
    expect(await action(starting)).toEqual({ about: "passkeys", kind: "options", options: { challenge: "x" } });
    expect(exchange.calls.at(-1)?.body).toMatchObject({ identifier: "ada@example.org" });
    const { headers } = await redirectTo(starting, "/doger");
    const form = { intent: "registration-verify", credential: JSON.stringify({ id: "k" }) };
    const completing = args("/doger", { cookie: `${cookie}; ${headers.getSetCookie()[0]?.split(";", 1)[0]}`, form });
    expect(await action(completing)).toEqual({ about: "passkeys", kind: "done", text: "Passkey added." });
    expect(await post(form)).toMatchObject({ about: "passkeys", error: errorTexts.registrationFailed });
  });

  const changes: Record<string, string>[] = [
    { intent: "remove-passkey", id: "p1" },
    { intent: "add-alert", direction: "above", rate: "0.5" },
  ];

  it("E01 redirects to /login, instead of reporting a refusal, if the session ends during a change", async () => {
    const expired = () => refusal(401, "token_expired", "Token expired");
    fakeExchange({
      ...me,
      "DELETE /api/users/me/passkeys/p1": expired,
      "POST /api/users/me/price-alerts": expired,
      "POST /api/auth/refresh": expired,
    });
    for (const form of changes) {
      const response = await responseOf(post(form));
      expect(response.headers.get("Location")).toMatch(/^\/login\?/);
    }
  });

  it("throws if the exchange cannot be reached, instead of saying that it refused", async () => {
    const unreachable = () => Promise.reject(new TypeError("fetch failed"));
    fakeExchange({
      ...me,
      "DELETE /api/users/me/passkeys/p1": unreachable,
      "POST /api/users/me/price-alerts": unreachable,
    });
    for (const form of changes) {
      await expect(withoutRetryWaits(() => post(form))).rejects.toEqual(exchangeUnreachable);
    }
  });

  it("refuses an unknown intent with a 400 that says why", async () => {
    fakeExchange(me);
    const response = await responseOf(post({ intent: "transfer" }));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/Reload the page/);
  });

  it.each([
    ["remove-passkey", "passkeys"],
    ["end-session", "sessions"],
    ["remove-alert", "alerts"],
  ])("reports a missing field of %s without calling the exchange", async (intent, about) => {
    const { calls } = fakeExchange(me);
    expect(await post({ intent })).toEqual({ about, kind: "refused", error: expect.stringContaining("incomplete") });
    expect(calls.map(({ call }) => call)).toEqual(["GET /api/users/me"]);
  });
});

describe("sessions on /doger", () => {
  it("ends one session, or all others", async () => {
    const exchange = fakeExchange({
      ...me,
      "DELETE /api/users/me/sessions/s2": () => new Response(null, { status: 204 }),
      "DELETE /api/users/me/sessions": () => new Response(null, { status: 204 }),
      "GET /api/users/me/sessions": () => Response.json({ items: [session("s1", true)], next: null }),
    });
    expect(await post({ intent: "end-session", id: "s2" })).toEqual({
      about: "sessions",
      kind: "done",
      text: "That device was signed out.",
    });
    expect(await post({ intent: "end-other-sessions" })).toEqual({
      about: "sessions",
      kind: "done",
      text: "All other devices were signed out.",
    });
    expect(exchange.count("DELETE /api/users/me/sessions/s2")).toBe(1);
    expect(exchange.count("DELETE /api/users/me/sessions")).toBe(1);
  });

  it("T12 asks for the passkey if sessions that began later than this one cannot be ended without it", async () => {
    fakeExchange({
      ...me,
      "DELETE /api/users/me/sessions/s2": () => refusal(403, "passkey_too_old", "Confirm with your passkey."),
      "DELETE /api/users/me/sessions": () => new Response(null, { status: 204 }),
      "GET /api/users/me/sessions": () =>
        Response.json({ items: [session("s2", false), session("s1", true)], next: null }),
    });
    const confirm = { about: "sessions", kind: "refused", error: expect.any(String), code: "passkey_too_old" };
    expect(await post({ intent: "end-session", id: "s2" })).toEqual(confirm);
    expect(await post({ intent: "end-other-sessions" })).toEqual(confirm);
  });
});

describe("price alerts on /doger", () => {
  const alerts = "/api/users/me/price-alerts";
  const alert = { id: "a1", direction: "above", rate: "0.5", created_at: "2026-01-01T00:00:00.000Z" };

  it("sets an alert at a price in the visitor's number style, and removes it", async () => {
    const exchange = fakeExchange({
      ...me,
      [`POST ${alerts}`]: () => Response.json(alert, { status: 201 }),
      [`DELETE ${alerts}/a1`]: () => new Response(null, { status: 204 }),
    });
    const request = args("/doger", {
      cookie: await sessionCookie(),
      headers: { "accept-language": "de" },
      form: { intent: "add-alert", direction: "above", rate: "0,5" },
    });
    expect(await action(request)).toEqual({ about: "alerts", kind: "done", text: "Price alert set.", added: alert.id });
    expect(exchange.calls.find(({ call }) => call === `POST ${alerts}`)?.body).toEqual({
      direction: "above",
      rate: "0.5",
    });
    expect(await post({ intent: "remove-alert", id: "a1" })).toEqual({
      about: "alerts",
      kind: "done",
      text: "Price alert removed.",
    });
    expect(exchange.count(`DELETE ${alerts}/a1`)).toBe(1);
  });

  it("T83 keeps what was entered and says that no more alerts can be set today", async () => {
    const message = "You have set 50 price alerts in a day. Try again tomorrow.";
    const tooMany = { status: 429, headers: { "Retry-After": "86400" } };
    const exchange = fakeExchange({
      ...me,
      [`POST ${alerts}`]: () => Response.json({ detail: { code: "rate_limited", message } }, tooMany),
    });
    const entered = { direction: "above", rate: "0.5" } as const;
    const result = await post({ intent: "add-alert", ...entered });
    expect(result).toEqual({ about: "alerts", kind: "refused", values: entered, error: message });
    expect(exchange.count(`POST ${alerts}`)).toBe(1);
  });

  it("keeps what was entered and says what is wrong with it", async () => {
    const message = "1 MOB already costs more than this.";
    fakeExchange({
      ...me,
      [`POST ${alerts}`]: () =>
        Response.json({ detail: { code: "invalid", message, fields: { rate: message } } }, { status: 422 }),
    });
    const entered = { direction: "above", rate: "0.1" } as const;
    expect(await post({ intent: "add-alert", ...entered })).toEqual({
      about: "alerts",
      kind: "refused",
      values: entered,
      fields: { rate: message },
    });
    for (const [rate, error] of [
      ["", "Enter a price in USDT, such as 0.5."],
      ["ten", "Enter a price in USDT, such as 0.5."],
      ["0", "Enter a price above zero."],
    ] as const) {
      expect(await post({ intent: "add-alert", direction: "below", rate })).toEqual({
        about: "alerts",
        kind: "refused",
        values: { direction: "below", rate },
        fields: { rate: error },
      });
    }
  });

  it("says that there are too many", async () => {
    fakeExchange({ ...me, [`POST ${alerts}`]: () => refusal(409, "too_many_alerts", "Remove one first.") });
    expect(await post({ intent: "add-alert", direction: "below", rate: "0.1" })).toEqual({
      about: "alerts",
      kind: "refused",
      values: { direction: "below", rate: "0.1" },
      error: "Remove one first.",
    });
  });
});

describe("e-mails on /doger", () => {
  it("turns off the e-mails whose box is not checked", async () => {
    const wanted = { payment_seen: true, paid_out: false, refunded: false };
    const exchange = fakeExchange({ ...me, "PATCH /api/users/me/mail-preferences": () => Response.json(wanted) });
    expect(await post({ intent: "set-mails", payment_seen: "on" })).toEqual({
      about: "mails",
      kind: "done",
      text: "Saved.",
    });
    expect(exchange.calls.at(-1)?.body).toEqual(wanted);
  });
});

describe("the files on /doger", () => {
  it.each([
    ["swaps", "/doger/export.csv", exportLoader],
    ["data", "/doger/data.zip", dataLoader],
  ])("name the day in the visitor's time zone: %s", async (name, path, load) => {
    fakeExchange({ ...withOrders([]), "GET /api/users/me/export": () => new Response("PK") });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-31T20:00:00.000Z") });
    try {
      const nameIn = async (cookie: string) => {
        const response = await load(args(path, { cookie: `${await sessionCookie()}${cookie}` }));
        return response.headers.get("Content-Disposition")?.match(/"(.*)\.\w+"/)?.[1];
      };
      expect(await nameIn("")).toBe(`antelope-${name}-2026-01-31`);
      expect(await nameIn("; tz=Asia/Tokyo")).toBe(`antelope-${name}-2026-02-01`);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("/doger/export.csv", () => {
  it("is a private file in UTF-8 with a byte order mark and CRLF, with the orders of all pages", async () => {
    fakeExchange(withOrders([1, 2, 3, 4, 5].map((n) => makeCompletedOrder({ id: `o${n}` }))));
    const response = await exportLoader(await open("/doger/export.csv"));
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="antelope-swaps-[\d-]+\.csv"$/);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).split("\r\n");
    expect(lines).toHaveLength(7);
    const at = exportHeader.indexOf("swap_id");
    expect(lines.slice(1, 6).map((line) => line.split(",")[at])).toEqual(["o1", "o2", "o3", "o4", "o5"]);
  });

  it("has one line per swap, with a link to it on this site", async () => {
    const orders = [1, 2, 3].map((n) => makeCompletedOrder({ id: `o${n}` }));
    fakeExchange(withOrders(orders));
    const response = await exportLoader(await open("/doger/export.csv"));
    expect(await response.text()).toBe(
      [exportHeader, ...orders.map((order) => toOrderCells(order, origin))].map(toCsvLine).join(""),
    );
  });

  it("aborts the download if a later page fails", async () => {
    const { "GET /api/swap/swaps": list, ...others } = withOrders(
      [1, 2, 3].map((n) => makeCompletedOrder({ id: `o${n}` })),
    );
    fakeExchange({
      ...others,
      "GET /api/swap/swaps": (request) =>
        new URL(request.url).searchParams.has("cursor") ? refusal(409, "x", "No.") : list(request),
    });
    const response = await exportLoader(await open("/doger/export.csv"));
    await expect(response.text()).rejects.toThrow();
  });
});

describe("/doger/export.csv and a token that expires", () => {
  it("S05 aborts the download, because a new token could no longer reach the browser", async () => {
    const { "GET /api/swap/swaps": list, ...others } = withOrders(
      [1, 2, 3].map((n) => makeCompletedOrder({ id: `o${n}` })),
    );
    const exchange = fakeExchange({
      ...others,
      "GET /api/swap/swaps": (request) =>
        new URL(request.url).searchParams.has("cursor")
          ? refusal(401, "token_expired", "Token expired")
          : list(request),
      "POST /api/auth/refresh": () => Response.json({ access_token: "access-2", refresh_token: "refresh-2" }),
    });
    const response = await exportLoader(await open("/doger/export.csv"));
    await expect(response.text()).rejects.toThrow();
    expect(exchange.count("POST /api/auth/refresh")).toBe(0);
  });
});

describe("/doger/data.zip", () => {
  it("T72 HEAD does not use up an export, about which the owner would get an e-mail", async () => {
    const exchange = fakeExchange({ ...me, "GET /api/users/me/export": () => new Response("PK") });
    const { request, ...rest } = args("/doger/data.zip", { cookie: await sessionCookie() });
    const response = await responseOf(dataLoader({ ...rest, request: new Request(request, { method: "HEAD" }) }));
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/zip"]);
    expect(exchange.count("GET /api/users/me/export")).toBe(0);
  });

  it.each(["cross-site", "same-site", "none"])(
    "T2 T72 a link with Sec-Fetch-Site: %s cannot start the download",
    async (site) => {
      const exchange = fakeExchange({ ...me, "GET /api/users/me/export": () => new Response("PK") });
      const headers = { "Sec-Fetch-Site": site };
      const request = args("/doger/data.zip", { cookie: await sessionCookie(), headers });
      const response = await responseOf(dataLoader(request));
      expect(response.headers.get("Location")).toBe("/doger#your-data");
      expect(exchange.count("GET /api/users/me/export")).toBe(0);
    },
  );

  it("starts for a page of this site", async () => {
    fakeExchange({ ...me, "GET /api/users/me/export": () => new Response("PK") });
    const headers = { "Sec-Fetch-Site": "same-origin" };
    const request = args("/doger/data.zip", { cookie: await sessionCookie(), headers });
    expect(await (await dataLoader(request)).text()).toBe("PK");
  });

  it("T72 is not available to a data request, which would use up an export", async () => {
    const { calls } = fakeExchange({ ...me, "GET /api/users/me/export": () => new Response("PK") });
    const request = args("/doger/data.zip", { cookie: await sessionCookie() });
    const response = await responseOf(dataLoader({ ...request, context: { isDataRequest: true } }));
    expect([response.status, calls]).toEqual([404, []]);
  });

  it("is a private file, as the exchange sends it", async () => {
    const exchange = fakeExchange({ ...me, "GET /api/users/me/export": () => new Response("PK") });
    const response = await dataLoader(await open("/doger/data.zip"));
    expect(response.headers.get("Content-Type")).toBe("application/zip");
    expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="antelope-data-[\d-]+\.zip"$/);
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(await response.text()).toBe("PK");
    expect(exchange.count("GET /api/users/me/export")).toBe(1);
  });

  it.each([
    [403, "passkey_too_old", "/doger?data=confirm#your-data"],
    [409, "recovered_recently", "/doger?data=recovered#your-data"],
    [429, "rate_limited", "/doger?data=later#your-data"],
  ])("returns to the account page if the exchange responds with %i %s, without retrying", async (status, code, to) => {
    const exchange = fakeExchange({ ...me, "GET /api/users/me/export": () => refusal(status, code, "No.") });
    const response = await responseOf(dataLoader(await open("/doger/data.zip")));
    expect(response.headers.get("Location")).toBe(to);
    expect(exchange.count("GET /api/users/me/export")).toBe(1);
  });

  it("shows the exchange's message for any other response", async () => {
    fakeExchange({ ...me, "GET /api/users/me/export": () => refusal(409, "busy", "Not now.") });
    await expect(dataLoader(await open("/doger/data.zip"))).rejects.toMatchObject({
      data: { message: "Not now." },
      init: { status: 409 },
    });
  });

  it("records the documents that the customer accepts, unless they have changed since", async () => {
    const exchange = fakeExchange({
      ...me,
      "POST /api/users/me/consents": () => Response.json({ items: [] }),
    });
    const cookie = await sessionCookie();
    const post = (form: Record<string, string>) =>
      action(args("/doger", { cookie, form: { intent: "accept-documents", ...form } }));
    const [terms] = listCurrentVersions();
    expect(await post({ terms: terms?.version ?? "" })).toEqual({
      about: "documents",
      kind: "done",
      text: "Thank you. We've recorded your acceptance.",
    });
    expect(exchange.calls.at(-1)?.body).toEqual({ accepted: [terms] });
    expect(await post({ terms: "before" })).toEqual({
      about: "documents",
      kind: "refused",
      error: expect.stringMatching(/changed while this page was open.* Please read the new version below\.$/),
    });
    expect(exchange.count("POST /api/users/me/consents")).toBe(1);
    fakeExchange({ ...me, "POST /api/users/me/consents": () => refusal(429, "too_many", "Try again later.") });
    expect(await post({ terms: terms?.version ?? "" })).toMatchObject({
      about: "documents",
      kind: "refused",
      error: "Try again later.",
    });
  });

  it("keeps the chosen currency in this browser's cookie", async () => {
    fakeExchange(me);
    const cookie = await sessionCookie();
    const choose = async (currency: string) => {
      const form = { intent: "set-currency", currency };
      const { headers } = await responseOf(action(args("/doger", { cookie, form })));
      expect(headers.get("Location")).toBe("/doger?saved=currency#currency");
      return headers.getSetCookie();
    };
    expect(await choose("CHF")).toEqual(["currency=CHF; Max-Age=31536000; Path=/; SameSite=Lax"]);
    expect(await choose("none")).toEqual(["currency=none; Max-Age=31536000; Path=/; SameSite=Lax"]);
    for (const other of ["", "XXX", "CHF; Domain=evil.example"]) {
      expect(await choose(other)).toEqual(["currency=; Max-Age=0; Path=/; SameSite=Lax"]);
    }
  });
});
