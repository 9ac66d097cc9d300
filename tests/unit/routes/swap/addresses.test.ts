import { afterEach, describe, expect, it, vi } from "vitest";
import { getConfig } from "~/config/config.server";
import { listCurrentVersions } from "~/content/legal.server";
import { redirectTo } from "~/session/responses.server";
import { deferred } from "../../../support/deferred";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { makeQuote } from "../../../support/quotes";
import {
  args,
  exchangeUnreachable,
  fakeExchange,
  makeUser,
  refusal,
  responseOf,
  sessionCookie,
} from "../../../support/site";
import { addresses, rates, respondWith } from "./fixtures";

const list = await import("~/routes/swap/delivery-addresses/route");
const add = await import("~/routes/swap/add-delivery-address/route");
const start = await import("~/routes/swap/index/route");
const events = await import("~/routes/swap/order-events/route");
const receipt = await import("~/routes/swap/order-receipt/route");

afterEach(() => void vi.restoreAllMocks());

const me = { "GET /api/users/me": respondWith(makeUser()) };
const listCall = { "GET /api/swap/delivery-addresses": respondWith({ items: addresses, next: null }) };

describe("/swap/deliveryaddress/", () => {
  it("S01 R10 requires a passkey and returns to the requested page", async () => {
    fakeExchange({});
    const response = await responseOf(list.loader(args("/swap/deliveryaddress/?addressType=ETH")));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fswap%2Fdeliveryaddress%2F%3FaddressType%3DETH");
  });

  it.each([
    ["?addressType=MOB", "MOB", ["mob-2", "mob-1"]],
    ["?addressType=ETH", "ETH", ["eth-1"]],
    ["?addressType=mob", null, ["mob-2", "eth-1", "mob-1"]],
    ["?addressType=BTC", null, ["mob-2", "eth-1", "mob-1"]],
    ["", null, ["mob-2", "eth-1", "mob-1"]],
  ])("R10 V03 %s filters by type %s", async (search, type, ids) => {
    fakeExchange({ ...me, ...listCall });
    const data = await list.loader(args(`/swap/deliveryaddress/${search}`, { cookie: await sessionCookie() }));
    expect(data.addressType).toBe(type);
    expect(data.addresses.map(({ id }) => id)).toEqual(ids);
  });

  it("removes an address and comes back to the same view, even if it was already removed", async () => {
    const form = { intent: "remove", id: "eth-1" };
    const cookie = await sessionCookie();
    const removed = fakeExchange({
      ...me,
      "DELETE /api/swap/delivery-addresses/eth-1": () => new Response(null, { status: 204 }),
    });
    const response = await responseOf(list.action(args("/swap/deliveryaddress/?addressType=ETH", { cookie, form })));
    expect(response.headers.get("Location")).toBe("/swap/deliveryaddress/?addressType=ETH");
    expect(removed.count("DELETE /api/swap/delivery-addresses/eth-1")).toBe(1);
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
    fakeExchange(me);
    const gone = await responseOf(list.action(args("/swap/deliveryaddress/", { cookie, form })));
    expect([gone.status, gone.headers.get("Location")]).toEqual([302, "/swap/deliveryaddress/"]);
  });

  it("says why the exchange did not remove an address, and throws if it cannot be reached", async () => {
    const removal = "DELETE /api/swap/delivery-addresses/eth-1";
    const request = async () =>
      args("/swap/deliveryaddress/", { cookie: await sessionCookie(), form: { intent: "remove", id: "eth-1" } });
    fakeExchange({ ...me, [removal]: () => refusal(409, "in_use", "A swap pays out to this address.") });
    expect(await list.action(await request())).toEqual({
      kind: "refused",
      error: "A swap pays out to this address.",
    });
    fakeExchange({ ...me, [removal]: () => new Response("<html>", { status: 409 }) });
    expect(await list.action(await request())).toEqual({ kind: "refused", error: "An unknown error occurred" });
    // A timeout, because that is not retried.
    fakeExchange({ ...me, [removal]: () => Promise.reject(new DOMException("Too late.", "TimeoutError")) });
    await expect(list.action(await request())).rejects.toEqual(exchangeUnreachable);
  });

  it("asks to sign in if the session ends before the removal", async () => {
    const cookie = await sessionCookie();
    const ended = () => refusal(401, "session_ended", "Your session has ended.");
    fakeExchange({
      ...me,
      "DELETE /api/swap/delivery-addresses/eth-1": ended,
      "POST /api/auth/refresh": ended,
    });
    const form = { intent: "remove", id: "eth-1" };
    const { headers } = await responseOf(list.action(args("/swap/deliveryaddress/", { cookie, form })));
    expect(headers.get("Location")).toBe("/login?redirect=%2Fswap%2Fdeliveryaddress%2F");
  });

  it.each<Record<string, string>>([
    { intent: "remove" },
    { intent: "remove", id: "" },
    { intent: "", id: "eth-1" },
    { id: "eth-1" },
    {},
  ])("refuses %j with a 400 that says why, and removes nothing", async (form) => {
    const exchange = fakeExchange(me);
    const request = args("/swap/deliveryaddress/", { cookie: await sessionCookie(), form });
    const response = await responseOf(list.action(request));
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/Reload the page/);
    expect(exchange.calls.filter(({ call }) => call.startsWith("DELETE"))).toEqual([]);
  });

  it("S01 removes nothing without a passkey, and comes back to the same view after sign-in", async () => {
    const exchange = fakeExchange({});
    const form = { intent: "remove", id: "eth-1" };
    const response = await responseOf(list.action(args("/swap/deliveryaddress/?addressType=ETH", { form })));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fswap%2Fdeliveryaddress%2F%3FaddressType%3DETH");
    expect(exchange.calls).toEqual([]);
  });
});

describe("/swap/deliveryaddress/add", () => {
  const post = async (path: string, form: Record<string, string>) =>
    add.action(args(path, { cookie: await sessionCookie(), form }));
  const addCall = "POST /api/swap/delivery-addresses";
  const form = { type: "ETH", address: " 0xabc ", label: "Mine" };

  it("R11 V01 V03 accepts addressType and a redirect within the site, and ignores anything else", async () => {
    fakeExchange(me);
    const cookie = await sessionCookie();
    expect(
      await add.loader(args("/swap/deliveryaddress/add?addressType=MOB&redirect=/swap/usdt-to-mob", { cookie })),
    ).toEqual({
      addressType: "MOB",
      redirect: "/swap/usdt-to-mob",
      settings: { walletRpc: getConfig().walletRpc, ensNames: false },
    });
    expect(
      await add.loader(args("/swap/deliveryaddress/add?addressType=X&redirect=//evil.example", { cookie })),
    ).toMatchObject({
      addressType: null,
      redirect: null,
    });
  });

  it("offers names such as alice.eth if a node looks them up", async () => {
    vi.spyOn(getConfig().exchange, "ensRpcUrl", "get").mockReturnValue("https://ethereum.example");
    fakeExchange(me);
    const request = args("/swap/deliveryaddress/add", { cookie: await sessionCookie() });
    expect(await add.loader(request)).toMatchObject({ settings: { ensNames: true } });
  });

  it("S01 R11 saves nothing without a passkey, and comes back after sign-in", async () => {
    const exchange = fakeExchange({});
    const path = "/swap/deliveryaddress/add?addressType=ETH";
    for (const response of [add.loader(args(path)), add.action(args(path, { form }))]) {
      expect((await responseOf(response)).headers.get("Location")).toBe(`/login?redirect=${encodeURIComponent(path)}`);
    }
    expect(exchange.calls).toEqual([]);
  });

  it("R11 saves the address and returns its ID to the page that needed it", async () => {
    const exchange = fakeExchange({
      ...me,
      [addCall]: respondWith({ ...addresses[1], label: "Mine", id: "new-1" }, 201),
    });
    const to = "/swap/deliveryaddress/add?redirect=%2Fswap%2Fusdt-to-mob%3Famount%3D5";
    expect((await responseOf(post(to, form))).headers.get("Location")).toBe("/swap/usdt-to-mob?amount=5&added=new-1");
    expect(exchange.calls.at(-1)?.body).toEqual({ type: "ETH", address: "0xabc", label: "Mine" });
    expect((await responseOf(post("/swap/deliveryaddress/add", form))).headers.get("Location")).toBe(
      "/swap/deliveryaddress/",
    );
    const hostile = "/swap/deliveryaddress/add?redirect=https%3A%2F%2Fevil.example";
    expect((await responseOf(post(hostile, form))).headers.get("Location")).toBe("/swap/deliveryaddress/");
  });

  it.each([
    ["/swap/mob-to-usdt", "/swap/mob-to-usdt?added=new-1"],
    ["/swap/mob-to-usdt?", "/swap/mob-to-usdt?added=new-1"],
    ["/swap/mob-to-usdt?added=old-1&amount=5", "/swap/mob-to-usdt?added=new-1&amount=5"],
    ["/swap/quote/7?id=7#refund", "/swap/quote/7?id=7&added=new-1#refund"],
    ["/swap/quote/7#refund", "/swap/quote/7?added=new-1#refund"],
    ["/swap/deliveryaddress/?addressType=ETH", "/swap/deliveryaddress/?addressType=ETH"],
    ["/swap/deliveryaddress", "/swap/deliveryaddress"],
    ["/swap", "/swap"],
    ["/kyc?redirect=%2Fswap", "/kyc?redirect=%2Fswap"],
  ])("R11 after saving for %s leads to %s", async (redirect, location) => {
    fakeExchange({ ...me, [addCall]: respondWith({ ...addresses[1], label: "Mine", id: "new-1" }, 201) });
    const response = await responseOf(post(`/swap/deliveryaddress/add?redirect=${encodeURIComponent(redirect)}`, form));
    expect([response.status, response.headers.get("Location")]).toEqual([302, location]);
  });

  it("says so, instead of losing the name, if the address is already saved under another", async () => {
    const saved = (label: string) => fakeExchange({ ...me, [addCall]: respondWith({ ...addresses[1], label }) });
    saved("My wallet");
    expect(await post("/swap/deliveryaddress/add", form)).toEqual({
      kind: "refused",
      values: expect.objectContaining({ label: "Mine" }),
      fields: { label: expect.stringContaining("already saved, as “My wallet”.") },
    });
    saved("");
    expect(await post("/swap/deliveryaddress/add", form)).toMatchObject({
      fields: { label: expect.stringContaining("already saved, without a name.") },
    });
    saved("My wallet");
    const unnamed = post("/swap/deliveryaddress/add", { ...form, label: "" });
    expect((await responseOf(unnamed)).headers.get("Location")).toBe("/swap/deliveryaddress/");
  });

  it("trims the optional label and cuts it to 60 characters, and cuts the address to 512", async () => {
    const exchange = fakeExchange({ ...me, [addCall]: () => refusal(422, "address_invalid", "Wrong.") });
    const long = "b".repeat(600);
    await post("/swap/deliveryaddress/add", { type: "MOB", address: long, label: ` ${"l".repeat(30)} ${long}` });
    expect(exchange.calls.at(-1)?.body).toEqual({
      type: "MOB",
      address: "b".repeat(512),
      label: `${"l".repeat(30)} ${"b".repeat(29)}`,
    });
    await post("/swap/deliveryaddress/add", { type: "MOB", address: "abc" });
    expect(exchange.calls.at(-1)?.body).toEqual({ type: "MOB", address: "abc", label: "" });
  });

  it("accepts an address pasted in groups of characters, with invisible ones among them", async () => {
    const exchange = fakeExchange({ ...me, [addCall]: () => refusal(422, "address_invalid", "Wrong.") });
    await post("/swap/deliveryaddress/add", { ...form, address: "\u2068 0x41 6F\n e0d1\u00a08f\u200bB0 \u200e" });
    expect(exchange.calls.at(-1)?.body).toMatchObject({ address: "0x416Fe0d18fB0" });
  });

  it("T80 shows the address of a name before it is saved, and does not save the name", async () => {
    const nameCall = "POST /api/swap/ens-names";
    const resolved = { name: "alice.eth", address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" };
    const named = { ...form, address: " Alice.eth " };
    const found = fakeExchange({ ...me, [nameCall]: respondWith(resolved) });
    expect(await post("/swap/deliveryaddress/add", named)).toEqual({
      kind: "resolved",
      values: { type: "ETH", address: resolved.address, label: "Mine" },
      resolved,
    });
    expect(found.calls.at(-1)?.body).toEqual({ name: "Alice.eth" });
    expect(found.count(addCall)).toBe(0);

    fakeExchange({ ...me, [nameCall]: () => refusal(422, "address_invalid", "alice.eth has no Ethereum address.") });
    expect(await post("/swap/deliveryaddress/add", named)).toMatchObject({
      values: { address: "Alice.eth" },
      fields: { address: "alice.eth has no Ethereum address." },
    });

    // An exchange that does not look up names says why it refuses one; MobileCoin does not have names.
    const refuse = () => refusal(422, "address_invalid", "This is a name.");
    fakeExchange({ ...me, [nameCall]: () => refusal(404, "not_found", "Not found."), [addCall]: refuse });
    expect(await post("/swap/deliveryaddress/add", named)).toMatchObject({ fields: { address: "This is a name." } });
    const mob = fakeExchange({ ...me, [addCall]: refuse });
    await post("/swap/deliveryaddress/add", { ...named, type: "MOB" });
    expect(mob.count(nameCall)).toBe(0);
  });

  it("reports errors beside the field and keeps what was typed", async () => {
    fakeExchange({ ...me, [addCall]: () => refusal(422, "address_invalid", "The checksum of this address is wrong.") });
    expect(await post("/swap/deliveryaddress/add", form)).toEqual({
      kind: "refused",
      values: { type: "ETH", address: "0xabc", label: "Mine" },
      fields: { address: "The checksum of this address is wrong." },
    });
    fakeExchange({ ...me, [addCall]: () => refusal(409, "too_many_addresses", "Remove one first.") });
    expect(await post("/swap/deliveryaddress/add", form)).toMatchObject({
      error: "Remove one first.",
      values: { label: "Mine" },
    });
  });

  it.each([
    ["type", { type: "BTC" }, "Choose what the address is for."],
    ["type", { type: "" }, "Choose what the address is for."],
    ["address", { address: "" }, "Enter an address."],
    ["address", { address: " \n\u00a0" }, "Enter an address."],
  ])("says what is wrong at the %s of %j, keeps what was typed and saves nothing", async (field, typed, message) => {
    const exchange = fakeExchange(me);
    const submitted = { ...form, ...typed };
    expect(await post("/swap/deliveryaddress/add", submitted)).toEqual({
      kind: "refused",
      values: submitted,
      fields: { [field]: message },
    });
    expect(exchange.calls.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
  });

  it("says what is missing in an empty form", async () => {
    fakeExchange(me);
    expect(await post("/swap/deliveryaddress/add", {})).toEqual({
      kind: "refused",
      values: {},
      fields: { type: "Choose what the address is for.", address: "Enter an address." },
    });
  });

  it.each<[string, Record<string, string>, Record<string, string | undefined>]>([
    ["the type", { type: "Not this one." }, { type: "Not this one." }],
    ["the label", { label: "Too long." }, { label: "Too long." }],
    ["label and address", { label: "Too long.", address: "Wrong." }, { label: "Too long.", address: "Wrong." }],
    ["the address", { address: "Wrong." }, { address: "Wrong." }],
    ["no field of the form", { network: "Unknown." }, { address: "Not valid." }],
  ])("shows a refusal of %s at its field", async (_, refused, fields) => {
    const detail = { message: "Not valid.", code: "invalid", fields: refused };
    fakeExchange({ ...me, [addCall]: respondWith({ detail }, 422) });
    expect(await post("/swap/deliveryaddress/add", form)).toEqual({
      kind: "refused",
      values: { type: "ETH", address: "0xabc", label: "Mine" },
      fields,
    });
  });

  it("says so if the exchange gives no reason, and throws if it cannot be reached", async () => {
    fakeExchange({ ...me, [addCall]: () => new Response("<h1>Bad gateway</h1>", { status: 502 }) });
    expect(await post("/swap/deliveryaddress/add", form)).toEqual({
      kind: "refused",
      values: { type: "ETH", address: "0xabc", label: "Mine" },
      error: "An unknown error occurred",
    });
    fakeExchange({ ...me, [addCall]: () => Promise.reject(new TypeError("fetch failed")) });
    await expect(post("/swap/deliveryaddress/add", form)).rejects.toEqual(exchangeUnreachable);
  });
});

describe("/swap", () => {
  const calls = {
    ...me,
    ...listCall,
    "GET /api/rates": respondWith(rates),
    "GET /api/swap/quotes/active": respondWith(makeQuote()),
    "GET /api/swap/swaps": respondWith({
      items: [
        makeOrder(),
        makeOrder({ id: "done", status: "completed" }),
        makeOrder({ id: "late", status: "needs_decision" }),
      ],
      next: null,
    }),
  };

  it("R06 S01 without a passkey → /login, history replaced, with redirect=/swap", async () => {
    fakeExchange({});
    const response = await responseOf(start.loader(args("/swap")));
    expect(response.headers.get("Location")).toBe("/login?redirect=%2Fswap");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
  });

  it("R07 S03 sends a new account to /welcome on the first visit, and remembers the visit of an older one", async () => {
    const cookie = await sessionCookie();
    fakeExchange({ ...calls, "GET /api/users/me": respondWith(makeUser({ created_at: new Date().toISOString() })) });
    expect((await responseOf(start.loader(args("/swap", { cookie })))).headers.get("Location")).toBe("/welcome");
    fakeExchange(calls);
    const older = args("/swap", { cookie });
    await expect(start.loader(older)).resolves.toMatchObject({ addressCount: 3 });
    expect((await redirectTo(older, "/swap")).headers.getSetCookie()).toEqual([
      expect.stringMatching(/^hasVisited=true;/),
    ]);
  });

  const load = async (path: string, headers?: HeadersInit) =>
    start.loader(args(path, { cookie: `${await sessionCookie()}; hasVisited=true`, ...(headers && { headers }) }));

  it("R07 shows the open quote, the open orders, the recent swaps and the newest addresses", async () => {
    const requested: string[] = [];
    const watch = (body: unknown) => (request: Request) => {
      requested.push(request.url.replace(/^.*\/api/, ""));
      return Response.json(body);
    };
    const history = [
      { at: "2030-01-01T00:00:00.000Z", rate: "0.35" },
      { at: "2030-01-02T00:00:00.000Z", rate: "0.42" },
    ];
    fakeExchange({
      ...calls,
      "GET /api/rates": watch({ ...rates, history }),
      "GET /api/swap/swaps": watch({
        items: [
          makeOrder(),
          makeOrder({ id: "done", status: "completed" }),
          makeOrder({ id: "expired", status: "expired" }),
          makeOrder({ id: "late", status: "needs_decision" }),
          makeOrder({ id: "cancelled", status: "cancelled" }),
          makeOrder({ id: "refunded", status: "refunded" }),
        ],
        next: null,
      }),
    });
    const { history: _, ...shownRates } = rates;
    expect(await load("/swap")).toEqual({
      user: makeUser(),
      nowMs: expect.closeTo(Date.now(), -5),
      rates: shownRates,
      pauseReason: null,
      chart: { line: "M0 26L100 2", change: expect.closeTo(0.2) },
      calculation: { source: "USDT", text: "250" },
      suggested: { USDT: { delivery: "mob-2", refund: "eth-1" }, MOB: { delivery: "eth-1", refund: "mob-2" } },
      openQuote: makeQuote(),
      orders: [makeOrder(), makeOrder({ id: "late", status: "needs_decision" })],
      recent: [makeOrder({ id: "done", status: "completed" })],
      addressCount: 3,
      changedDocuments: [],
    });
    expect(requested.sort()).toEqual([
      "/rates?range=24h",
      "/swap/swaps?limit=3&state=completed",
      "/swap/swaps?limit=5&state=active",
    ]);
  });

  it("R07 shows five open orders and three recent swaps at most, the newest ones, however many others follow", async () => {
    const ids = ["1", "2", "3", "4", "5", "6"];
    const lists: Record<string, unknown[]> = {
      active: ids.map((id) => makeOrder({ id: `open-${id}` })),
      completed: ids.map((id) => makeOrder({ id: `done-${id}`, status: "completed" })),
    };
    fakeExchange({
      ...calls,
      "GET /api/swap/swaps": ({ url }) => {
        const { state = "", limit } = Object.fromEntries(new URL(url).searchParams);
        return Response.json({ items: lists[state]?.slice(0, Number(limit)), next: "more" });
      },
    });
    const { orders, recent } = await load("/swap");
    expect(orders.map(({ id }) => id)).toEqual(["open-1", "open-2", "open-3", "open-4", "open-5"]);
    expect(recent.map(({ id }) => id)).toEqual(["done-1", "done-2", "done-3"]);
  });

  it("leaves out the quote and the addresses if the customer has none, and a quote that is locked", async () => {
    fakeExchange({
      ...calls,
      "GET /api/swap/quotes/active": () => refusal(404, "not_found", "Not found."),
      "GET /api/swap/delivery-addresses": respondWith({ items: [], next: null }),
    });
    const none = { delivery: null, refund: null };
    expect(await load("/swap")).toMatchObject({
      openQuote: null,
      suggested: { USDT: none, MOB: none },
      addressCount: 0,
    });
    fakeExchange({
      ...calls,
      "GET /api/swap/quotes/active": respondWith(makeQuote({ status: "locked" })),
      "GET /api/swap/delivery-addresses": respondWith({ items: addresses.slice(1), next: null }),
    });
    expect(await load("/swap")).toMatchObject({
      openQuote: null,
      suggested: { USDT: { delivery: "mob-1", refund: "eth-1" }, MOB: { delivery: "eth-1", refund: "mob-1" } },
    });
  });

  it("names the documents that changed since the customer accepted them, and none if they accepted none", async () => {
    const changed = async (items: object[] | null) => {
      const consents = items === null ? refusal(403, "x", "Not now.") : Response.json({ items });
      fakeExchange({ ...calls, "GET /api/users/me/consents": () => consents });
      return (await load("/swap")).changedDocuments;
    };
    const at = { accepted_at: "2026-01-01T00:00:00.000Z" };
    const [terms, privacy] = listCurrentVersions();
    expect(
      await changed([
        { ...privacy, ...at },
        { ...terms, ...at },
      ]),
    ).toEqual([]);
    expect(
      await changed([
        { ...terms, ...at },
        { ...privacy, ...at, version: "before" },
      ]),
    ).toEqual([{ ...privacy, name: "privacy notice" }]);
    expect(await changed([])).toEqual([]);
    expect(await changed(null)).toEqual([]);
  });

  it.each([
    ["/swap", start.loader],
    ["/swap/deliveryaddress", list.loader],
  ])("%s loads its data while its guard waits for the user", async (path, loader) => {
    const isRequested = deferred();
    fakeExchange({
      ...calls,
      "GET /api/users/me": () => isRequested.promise.then(() => Response.json(makeUser())),
      "GET /api/swap/delivery-addresses": () => {
        isRequested.resolve();
        return Response.json({ items: addresses, next: null });
      },
    });
    const cookie = `${await sessionCookie()}; hasVisited=true`;
    await expect(loader(args(path, { cookie }))).resolves.toBeDefined();
  });

  it.each([
    ["/swap", "USDT", "250"],
    ["/swap?from=MOB&send=30", "MOB", "30"],
    ["/swap?from=MOB", "MOB", "700"],
    ["/swap?from=USDT", "USDT", "250"],
    ["/swap?from=mob&send=30", "USDT", "250"],
    ["/swap?send=30", "USDT", "250"],
    ["/swap?from=USDT&send=1%2C000.5", "USDT", "1,000.5"],
  ])("%s starts with %s %s", async (path, source, text) => {
    fakeExchange(calls);
    expect((await load(path)).calculation).toEqual({ source, text });
  });

  it.each([
    ["source=MOB&amount=1%2C000.5", "en", "/swap/mob-to-usdt?amount=1000.5"],
    ["source=USDT&amount=1.000,5", "de", "/swap/usdt-to-mob?amount=1000.5"],
    ["source=USDT&amount=much", "en", "/swap/usdt-to-mob?amount=much"],
    ["source=USDT&amount=", "en", "/swap/usdt-to-mob"],
  ])("the form with %s (%s) leads to the filled-in swap form %s", async (form, language, location) => {
    const exchange = fakeExchange(calls);
    const response = await responseOf(load(`/swap?${form}`, { "accept-language": language }));
    expect(response.headers.get("Location")).toBe(location);
    expect(exchange.calls.map(({ call }) => call)).toEqual(["GET /api/users/me"]);
  });

  it("shows the exchange's message if the orders cannot be loaded", async () => {
    fakeExchange({ ...calls, "GET /api/swap/swaps": () => refusal(403, "x", "No orders today.") });
    await expect(load("/swap")).rejects.toMatchObject({ data: { message: "No orders today." }, init: { status: 403 } });
  });
});

describe("an order's events and receipt", () => {
  const params = { orderId: "order-1" };
  const eventsCall = "GET /api/swap/swaps/order-1/events";

  it("passes the exchange's stream to the signed-in user, and cancels it when they disconnect", async () => {
    let isCancelled = false;
    const stream = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode("event: order\ndata: {}\n\n")),
          cancel: () => {
            isCancelled = true;
          },
        }),
        { headers: { "Content-Type": "text/event-stream" } },
      );
    const exchange = fakeExchange({ ...me, [eventsCall]: stream });
    const abort = new AbortController();
    const signedIn = args("/swap/orders/order-1/events", { cookie: await sessionCookie() });
    const request = new Request(signedIn.request, { signal: abort.signal });
    const response = await events.loader({ ...signedIn, request, params });
    expect(response.headers.get("Content-Type")).toBe("text/event-stream");
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    expect(exchange.calls.at(-1)?.token).toBe("access-1");
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("event: order");
    abort.abort();
    expect((await reader?.read())?.done).toBe(true);
    expect(isCancelled).toBe(true);
  });

  it("responds with 401 without a passkey, otherwise with the exchange's status, so that the EventSource stops", async () => {
    fakeExchange({ ...me, [eventsCall]: () => refusal(429, "rate_limited", "Too many.") });
    const signedOut = args("/swap/orders/order-1/events");
    expect((await events.loader({ ...signedOut, params })).status).toBe(401);
    const signedIn = args("/swap/orders/order-1/events", { cookie: await sessionCookie() });
    expect((await events.loader({ ...signedIn, params })).status).toBe(429);
  });

  it("serves the receipt as a JSON file, only to its owner", async () => {
    const deposit = makeTransaction({ amount: "250" });
    const order = makeOrder({ status: "completed", incoming_txs: [deposit] });
    fakeExchange({ ...me, "GET /api/swap/swaps/order-1": respondWith(order) });
    const cookie = await sessionCookie();
    const response = await receipt.loader({ ...args("/swap/orders/order-1/receipt", { cookie }), params });
    expect(response.headers.get("Content-Disposition")).toContain("attachment");
    expect(await response.json()).toMatchObject({
      document: "antelope-receipt",
      sent: { amount: "250" },
      status: "completed",
    });
    const signedOut = { ...args("/swap/orders/order-1/receipt"), params };
    expect((await responseOf(receipt.loader(signedOut))).headers.get("Location")).toBe("/login?redirect=%2Fdoger");
  });
});
