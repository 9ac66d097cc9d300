import { describe, expect, it } from "vitest";
import type { Quote } from "~/api/contract";
import { toQuotePath } from "~/lib/quote-path";
import { drawQr } from "~/ui/qr-drawing.server";
import { deferred } from "../../../support/deferred";
import { makeOrder } from "../../../support/orders";
import { makeQuote, quoteId } from "../../../support/quotes";
import {
  exchangeUnreachable,
  fakeExchange,
  makeUser,
  args as plainArgs,
  refusal,
  responseOf,
  sessionCookie,
  withoutRetryWaits,
} from "../../../support/site";
import { addresses, directionCalls, rates, respondWith } from "./fixtures";

const { loader, action } = await import("~/routes/swap/quote/route");

const path = `/swap/quote/${quoteId}`;
const quoteCall = `GET /api/swap/quotes/${quoteId}`;
const lockCall = `POST /api/swap/quotes/${quoteId}/lock`;
const args = (...given: Parameters<typeof plainArgs>) => ({
  ...plainArgs(...given),
  params: { quoteId: String(quoteId) },
});
const base = { "GET /api/users/me": respondWith(makeUser()), ...directionCalls, [quoteCall]: respondWith(makeQuote()) };
const locked = makeQuote({ status: "locked", locked_at: "2030-01-01T00:00:10.000Z" });
const funding = {
  asset_symbol: "USDT",
  network: "ethereum",
  chain_id: 11155111,
  address: makeOrder().funding_address,
  amount: "250",
  uri: "ethereum:0x0@11155111/transfer",
  wallet_link: "ethereum:0x0@11155111/transfer",
  expires_at: makeOrder().expires_at,
};
const ordered = {
  ...base,
  [quoteCall]: respondWith(locked),
  "GET /api/swap/swaps": respondWith({ items: [makeOrder()], next: null }),
  [`${quoteCall}/funding-address`]: respondWith(funding),
};

async function load(to: string) {
  return loader(args(to, { cookie: await sessionCookie() }));
}

describe("/swap/quote/{quoteId}", () => {
  it("S01 requires a passkey and comes back to the requested page", async () => {
    fakeExchange(base);
    const response = await responseOf(loader(args(path)));
    expect(response.headers.get("Location")).toBe(`/login?redirect=${encodeURIComponent(path)}`);
  });

  it("R12 V06 without the quote's params it redirects to the complete URL, keeping the chosen addresses", async () => {
    fakeExchange(base);
    const response = await responseOf(load(`${path}?delivery=mob-1`));
    expect(response.headers.get("Location")).toBe(toQuotePath(makeQuote(), { delivery: "mob-1" }));
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
  });

  it("loads the quote, the rates and the addresses while its guard waits for the user", async () => {
    const waiting = new Set(["quote", "rates", "addresses"]);
    const isRequested = deferred();
    const respond = (what: string, body: unknown) => () => {
      if (waiting.delete(what) && waiting.size === 0) isRequested.resolve();
      return Response.json(body);
    };
    fakeExchange({
      ...base,
      "GET /api/users/me": () => isRequested.promise.then(() => Response.json(makeUser())),
      [quoteCall]: respond("quote", makeQuote()),
      "GET /api/rates": respond("rates", rates),
      "GET /api/swap/delivery-addresses": respond("addresses", { items: addresses, next: null }),
    });
    expect(await load(toQuotePath(makeQuote()))).toMatchObject({ kind: "quote" });
  });

  it("loads an order and its funding address at the same time", async () => {
    const isFundingRequested = deferred();
    const orders = ordered["GET /api/swap/swaps"];
    const funding = ordered[`${quoteCall}/funding-address`];
    fakeExchange({
      ...ordered,
      "GET /api/swap/swaps": () => isFundingRequested.promise.then(orders),
      [`${quoteCall}/funding-address`]: () => {
        isFundingRequested.resolve();
        return funding();
      },
    });
    expect(await load(toQuotePath(makeQuote()))).toMatchObject({ kind: "order" });
  });

  it("says whether the swap would be the customer's first", async () => {
    const quotePath = toQuotePath(makeQuote());
    const isFirst = async (items: unknown[] | null) => {
      const swaps = items === null ? refusal(503, "x", "Not now.") : Response.json({ items, next: null });
      fakeExchange({ ...base, "GET /api/swap/swaps": () => swaps });
      return ((await withoutRetryWaits(() => load(quotePath))) as { isFirst: boolean }).isFirst;
    };
    expect(await isFirst([])).toBe(true);
    expect(await isFirst([makeOrder()])).toBe(false);
    expect(await isFirst(null)).toBe(false);
  });

  it("says whether a customer is about to pay for the first time, and looks this up only before the payment", async () => {
    const isFirst = async (status: "awaiting_deposit" | "confirming", earlier: unknown[]) => {
      const order = makeOrder({ status });
      const newest = respondWith({ items: [order, ...earlier], next: null });
      const exchange = fakeExchange({ ...ordered, "GET /api/swap/swaps": newest });
      const data = (await load(toQuotePath(makeQuote()))) as { isFirst: boolean };
      // The order itself is one of the calls.
      return [data.isFirst, exchange.count("GET /api/swap/swaps") - 1];
    };
    expect(await isFirst("awaiting_deposit", [])).toEqual([true, 1]);
    expect(await isFirst("awaiting_deposit", [makeOrder({ id: "order-0" })])).toEqual([false, 1]);
    expect(await isFirst("confirming", [])).toEqual([false, 0]);
  });

  it("says whether the customer is verified, for a swap on hold", async () => {
    fakeExchange({ ...ordered, "GET /api/users/me": respondWith(makeUser({ kyc_status: "rejected" })) });
    expect(await load(toQuotePath(makeQuote()))).toMatchObject({ kind: "order", kycStatus: "rejected" });
  });

  it("R12 V05 V06 T36 shows the exchange's record if the params match it", async () => {
    fakeExchange(base);
    const data = await load(
      toQuotePath(makeQuote({ expires_at: "2029-01-01T00:00:00.000Z", updated_at: "2029-01-01T00:00:00.000Z" })),
    );
    expect(data).toMatchObject({
      kind: "quote",
      quote: makeQuote(),
      delivery: { chosen: "mob-2" },
      refund: { chosen: "eth-1" },
    });
    expect(data).toHaveProperty("idempotencyKey");
    expect(await load(toQuotePath(makeQuote(), { delivery: "mob-1" }))).toMatchObject({
      delivery: { chosen: "mob-1" },
      refund: { chosen: "eth-1" },
    });
  });

  it("shows the previous amount of a renewed price, only for the same swap of the same customer", async () => {
    const renewed = (quote: object | null) => ({
      ...base,
      "GET /api/swap/quotes/77": quote === null ? () => refusal(404, "not_found", "No.") : respondWith(quote),
    });
    const path = toQuotePath(makeQuote(), { renews: 77 });
    const old = makeQuote({ id: 77, status: "expired", target_amount: "711" });
    fakeExchange(renewed(old));
    expect(await load(path)).toMatchObject({ previousAmount: "711" });
    for (const other of [null, { ...old, source_amount: "1" }, { ...old, source_asset_symbol: "MOB" }]) {
      fakeExchange(renewed(other));
      expect(await load(path)).toMatchObject({ previousAmount: null });
    }
  });

  it.each([
    ["another coin", { source_asset_symbol: "BTC" }],
    ["a coin in lower case", { target_asset_symbol: "mob" }],
    ["an ID that is not a number", { id: "abc" }],
    ["another ID", { id: "12" }],
    ["another amount", { source_amount: "1" }],
    ["another target", { target_amount: "9999" }],
    ["another fee", { fee_amount: "0" }],
    ["another rate", { exchange_rate: "99" }],
    ["another creation time", { created_at: "2029-01-01T00:00:00.000Z" }],
    ["a lock time that is not a time", { locked_at: "yes" }],
    ["an expiry that is not a time", { expires_at: "soon" }],
  ])("V05 V06 E05 %s → Invalid quote", async (_, changes) => {
    fakeExchange(base);
    const to = new URL(toQuotePath(makeQuote()), "http://x");
    for (const [name, value] of Object.entries(changes)) to.searchParams.set(name, value);
    await expect(load(to.pathname + to.search)).rejects.toMatchObject({
      data: { message: "Invalid quote" },
      init: { status: 400 },
    });
  });

  it("V06 E05 a missing or repeated param → Invalid quote", async () => {
    fakeExchange(base);
    const whole = toQuotePath(makeQuote());
    await expect(load(whole.replace(/&exchange_rate=[^&]*/, ""))).rejects.toMatchObject({
      data: { message: "Invalid quote" },
    });
    await expect(load(`${whole}&id=${quoteId}`)).rejects.toMatchObject({ data: { message: "Invalid quote" } });
  });

  it("R20 responds with 404 for a missing quote, someone else's quote and an invalid ID", async () => {
    fakeExchange({ ...base, [quoteCall]: () => refusal(404, "not_found", "Not found.") });
    await expect(load(path)).rejects.toMatchObject({ init: { status: 404 } });
    const wrong = { ...args(path, { cookie: await sessionCookie() }), params: { quoteId: "x" } };
    await expect(loader(wrong)).rejects.toMatchObject({ init: { status: 404 } });
  });

  it("becomes the order page once locked: funding address, QR codes, names of the addresses", async () => {
    fakeExchange(ordered);
    const data = await load(toQuotePath(makeQuote()));
    expect(data).toMatchObject({
      kind: "order",
      order: { id: "order-1" },
      pay: { funding: { address: makeOrder().funding_address }, paymentCode: { size: expect.any(Number) } },
      deliveryName: "“\u2068My Signal\u2069” · mob-a…ress",
      refundName: "“\u2068My wallet\u2069” · 0x3C44…93BC",
      pageCode: drawQr(`http://localhost:3000${path}`),
    });
    expect(addresses[1].label).toBe("My wallet");
  });

  it("WCAG 2.2.1 remembers that the visitor has stopped its updates", async () => {
    fakeExchange(ordered);
    expect(await load(toQuotePath(makeQuote()))).toMatchObject({ isStopped: false });
    expect(await load(`${toQuotePath(makeQuote())}&updates=off`)).toMatchObject({ isStopped: true });
  });

  it("does not show a funding address for an order that no longer accepts payments", async () => {
    fakeExchange({
      ...ordered,
      "GET /api/swap/swaps": respondWith({ items: [makeOrder({ status: "cancelled" })], next: null }),
      [`${quoteCall}/funding-address`]: () => refusal(409, "order_closed", "This swap was cancelled."),
    });
    expect(await load(toQuotePath(makeQuote()))).toMatchObject({ order: { status: "cancelled" }, pay: null });
  });

  it("T53 has an open offer for a late payment, which the list of orders lacks", async () => {
    const makeLate = (offer: Quote | null) => {
      const choices: ("requote" | "refund")[] = ["requote", "refund"];
      const deadline = "2030-01-04T00:00:00.000Z";
      return makeOrder({ status: "needs_decision", decision: { reason: "late", deadline, choices, offer } });
    };
    const offer = makeQuote({ id: 77 });
    const exchange = fakeExchange({
      ...ordered,
      "GET /api/swap/swaps": respondWith({ items: [makeLate(null)], next: null }),
      "GET /api/swap/swaps/order-1": respondWith(makeLate(offer)),
    });
    expect(await load(toQuotePath(makeQuote()))).toMatchObject({ order: { decision: { offer } } });
    expect(exchange.count("GET /api/swap/swaps/order-1")).toBe(1);
  });

  it("links to the explorers, has what the wallet needs, and shows a removed address without its name", async () => {
    fakeExchange({ ...ordered, "GET /api/swap/delivery-addresses": respondWith({ items: [], next: null }) });
    expect(await load(toQuotePath(makeQuote()))).toMatchObject({
      deliveryName: "mob-a…ress",
      refundName: "0x3C44…93BC",
      explorers: { USDT: expect.anything(), MOB: expect.anything() },
      wallet: { rpc: expect.anything(), requiredConfirmations: 3 },
    });
  });

  it("has no chart, so it requests only the rates of one hour", async () => {
    const ranges: (string | null)[] = [];
    const watched = (calls: typeof base) => ({
      ...calls,
      "GET /api/rates": (request: Request) => {
        ranges.push(new URL(request.url).searchParams.get("range"));
        return Response.json(rates);
      },
    });
    for (const calls of [base, ordered]) {
      fakeExchange(watched(calls));
      await load(toQuotePath(makeQuote()));
    }
    expect(ranges).toEqual(["1h", "1h"]);
  });
});

describe("the actions of the quote page", () => {
  const post = async (form: Record<string, string>, to = path) =>
    action(args(to, { cookie: await sessionCookie(), form }));
  const lock = { intent: "lock", key: "key-1", delivery: "mob-1", refund: "eth-1" };

  it("locks with the form's idempotency key and comes back to the same page, with one redirect", async () => {
    let key: string | null = null;
    const exchange = fakeExchange({
      ...ordered,
      [lockCall]: (request) => {
        key = request.headers.get("Idempotency-Key");
        return Response.json(makeOrder(), { status: 201 });
      },
    });
    const response = await responseOf(post(lock));
    const to = response.headers.get("Location") ?? "";
    expect(to).toBe(toQuotePath(locked));
    expect(key).toBe("key-1");
    const { body } = exchange.calls.find(({ call }) => call === lockCall) ?? {};
    expect(body).toEqual({ delivery_address_id: "mob-1", refund_address_id: "eth-1" });
    expect(await load(to)).toMatchObject({ kind: "order" });
  });

  it("comes back to the page if the quote can't be read once it is locked", async () => {
    fakeExchange({
      ...ordered,
      [quoteCall]: () => refusal(500, "internal", "Something went wrong."),
      [lockCall]: respondWith(makeOrder(), 201),
    });
    const response = await withoutRetryWaits(() => responseOf(post(lock)));
    expect(response.headers.get("Location")).toBe(path);
  });

  it("shows the order if the quote is already locked, so that submitting twice creates one order", async () => {
    fakeExchange({ ...ordered, [lockCall]: () => refusal(409, "quote_locked", "Locked already.") });
    expect((await responseOf(post(lock))).headers.get("Location")).toBe(toQuotePath(locked));
  });

  it("says so if the quote was locked with other addresses, in another tab or before a lost response", async () => {
    for (const code of ["quote_locked", "idempotency_key_reused"]) {
      for (const order of [{ delivery_address: "mob-other-address" }, { refund_address: "0xother" }]) {
        fakeExchange({
          ...ordered,
          "GET /api/swap/swaps": respondWith({ items: [makeOrder(order)], next: null }),
          [lockCall]: () => refusal(409, code, "Locked already."),
        });
        const error = expect.stringContaining("already locked with different addresses");
        expect(await post(lock)).toEqual({ kind: "refused", error });
      }
    }
  });

  it("reports a missing address beside it and the exchange's error message, and keeps the choices", async () => {
    const exchange = fakeExchange(base);
    const error = "An address is missing. The price is still valid.";
    expect(await post({ ...lock, refund: "" })).toEqual({
      kind: "refused",
      error,
      fields: { refund: "Choose a refund address." },
      chosen: { delivery: "mob-1", refund: null },
    });
    expect(await post({ ...lock, delivery: "" })).toEqual({
      kind: "refused",
      error,
      fields: { delivery: "Choose an address." },
      chosen: { delivery: null, refund: "eth-1" },
    });
    expect(exchange.count(lockCall)).toBe(0);
    fakeExchange({ ...base, [lockCall]: () => refusal(409, "quote_expired", "This price has expired.") });
    expect(await post(lock)).toEqual({
      kind: "refused",
      error: "This price has expired.",
      fields: {},
      chosen: { delivery: "mob-1", refund: "eth-1" },
    });
  });

  it.each(["delivery", "refund"])("shows what the exchange says of the %s address beside it", async (name) => {
    const message = "This address is not yours.";
    const detail = { code: "address_invalid", message, fields: { [`${name}_address_id`]: message } };
    fakeExchange({ ...base, [lockCall]: () => Response.json({ detail }, { status: 422 }) });
    expect(await post(lock)).toMatchObject({ error: message, fields: { [name]: message } });
  });

  it("throws if the exchange cannot be reached, instead of saying that it refused", async () => {
    fakeExchange({ ...base, [lockCall]: () => Promise.reject(new TypeError("fetch failed")) });
    await expect(post(lock)).rejects.toEqual(exchangeUnreachable);
  });

  it.each([
    ["add-delivery", "MOB", { refund: "eth-1" }],
    ["add-refund", "ETH", { delivery: "mob-1" }],
  ] as const)(
    "%s goes to add an address of type %s, and comes back with the other choice",
    async (intent, type, kept) => {
      fakeExchange(base);
      const response = await responseOf(post({ intent, delivery: "mob-1", refund: "eth-1" }));
      const to = new URL(response.headers.get("Location") ?? "", "http://x");
      expect(to.pathname).toBe("/swap/deliveryaddress/add");
      expect(Object.fromEntries(to.searchParams)).toEqual({
        addressType: type,
        redirect: toQuotePath(makeQuote(), kept),
      });
    },
  );

  it("goes back to change the amount, with the addresses that are chosen now", async () => {
    fakeExchange(base);
    const chosen = { delivery: "mob-2", refund: "eth-1" };
    const response = await responseOf(post({ intent: "change-amount", ...chosen }, toQuotePath(makeQuote())));
    expect(response.headers.get("Location")).toBe("/swap/usdt-to-mob?amount=250&delivery=mob-2&refund=eth-1");
  });

  it("creates a tracking link, shows it once, and revokes it", async () => {
    const link = "/api/swap/swaps/order-1/tracking-link";
    const token = "t".repeat(43);
    const exchange = fakeExchange({
      ...ordered,
      [`POST ${link}`]: respondWith({ token }, 201),
      [`DELETE ${link}`]: () => new Response(null, { status: 204 }),
    });
    expect(await post({ intent: "share", order: "order-1" })).toEqual({
      kind: "shared",
      link: `http://localhost:3000/track/${token}`,
    });
    const response = await responseOf(post({ intent: "unshare", order: "order-1" }, toQuotePath(locked)));
    expect(response.headers.get("Location")).toBe(toQuotePath(locked));
    expect(exchange.count(`DELETE ${link}`)).toBe(1);
    fakeExchange({ ...ordered, [`POST ${link}`]: () => refusal(429, "too_many", "Try again later.") });
    expect(await post({ intent: "share", order: "order-1" })).toEqual({
      kind: "refused",
      error: "Try again later.",
      fields: {},
    });
  });

  it("V04 does not lock once the approval has been withdrawn", async () => {
    fakeExchange({ ...base, "GET /api/users/me": respondWith(makeUser({ kyc_status: "rejected" })) });
    expect((await responseOf(post(lock))).headers.get("Location")).toMatch(/^\/kyc\?redirect=/);
  });

  it.each(["renew", "fresh"])(
    "requests a new quote for an expired one, and keeps the addresses: %s",
    async (intent) => {
      const exchange = fakeExchange({ ...base, "POST /api/swap/quotes": respondWith(makeQuote({ id: 7 }), 201) });
      const response = await responseOf(post({ intent, delivery: "mob-1", refund: "eth-1" }));
      expect(response.headers.get("Location")).toBe(
        toQuotePath(makeQuote({ id: 7 }), { delivery: "mob-1", refund: "eth-1", renews: quoteId }),
      );
      expect(exchange.calls.at(-1)?.body).toMatchObject({ source_amount: "250" });
      fakeExchange({ ...base, "POST /api/swap/quotes": () => refusal(503, "swaps_stopped", "New swaps are stopped.") });
      expect(await post({ intent, delivery: "mob-1", refund: "eth-1" })).toEqual({
        kind: "refused",
        error: "New swaps are stopped.",
        fields: {},
        chosen: { delivery: "mob-1", refund: "eth-1" },
      });
    },
  );

  it("T39 shows the order instead of a new price if the quote was locked", async () => {
    const exchange = fakeExchange(ordered);
    const response = await responseOf(post({ intent: "renew", delivery: "mob-1", refund: "eth-1" }));
    expect(response.headers.get("Location")).toBe(toQuotePath(locked));
    expect(exchange.count("POST /api/swap/quotes")).toBe(0);
  });

  it.each([
    [{ intent: "accept" }, { choice: "accept" }],
    [{ intent: "refund" }, { choice: "refund" }],
    [
      { intent: "requote", offer: "77" },
      { choice: "requote", quote_id: 77 },
    ],
  ])("sends the decision %j as %j", async (form, body) => {
    const exchange = fakeExchange({ ...ordered, "POST /api/swap/swaps/order-1/decision": respondWith(makeOrder()) });
    const response = await responseOf(post({ ...form, order: "order-1" }, toQuotePath(locked)));
    expect(response.headers.get("Location")).toBe(toQuotePath(locked));
    expect(exchange.calls.at(-1)?.body).toEqual(body);
  });

  it("explains an expired offer and a cancellation that came too late", async () => {
    fakeExchange({
      ...ordered,
      "POST /api/swap/swaps/order-1/decision": () =>
        refusal(409, "offer_expired", "This price has expired. Here is a new one."),
      "POST /api/swap/swaps/order-1/cancel": () => refusal(409, "order_funded", "A deposit was seen."),
    });
    expect(await post({ intent: "requote", offer: "77", order: "order-1" })).toMatchObject({
      error: expect.stringContaining("new one"),
    });
    expect(await post({ intent: "cancel", order: "order-1" })).toMatchObject({ error: "A deposit was seen." });
  });

  it.each<Record<string, string>>([
    { intent: "give-me-money" },
    { intent: "lock", delivery: "mob-1", refund: "eth-1" },
    { intent: "lock", delivery: "mob-1", refund: "eth-1", key: "€" },
    { intent: "accept" },
    { intent: "requote", order: "order-1", offer: "x" },
  ])("refuses %j with 400 and an explanation", async (form) => {
    const exchange = fakeExchange(base);
    const response = await responseOf(post(form));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/Reload the page/);
    expect(exchange.calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
  });
});
