import { describe, expect, it } from "vitest";
import { toQuotePath } from "~/lib/quote-path";
import { makeQuote, quoteId } from "../../../support/quotes";
import {
  args,
  exchangeUnreachable,
  fakeExchange,
  makeUser,
  refusal,
  responseOf,
  sessionCookie,
} from "../../../support/site";
import { addresses, assets, directionCalls, rates, respondWith } from "./fixtures";

const { loader: usdtToMob, action: askUsdtToMob } = await import("~/routes/swap/usdt-to-mob/route");
const { loader: mobToUsdt, action: askMobToUsdt } = await import("~/routes/swap/mob-to-usdt/route");

const me = "GET /api/users/me";
const makeQuoteCall = "POST /api/swap/quotes";
const approved = { [me]: respondWith(makeUser()), ...directionCalls };
const german = { "accept-language": "de" };

describe("/swap/usdt-to-mob and /swap/mob-to-usdt", () => {
  it("R08 S02 redirects to /login without an active account, and to /kyc without approval", async () => {
    const cookie = await sessionCookie();
    fakeExchange({ ...approved, [me]: respondWith(makeUser({ is_active: false })) });
    expect((await responseOf(usdtToMob(args("/swap/usdt-to-mob", { cookie })))).headers.get("Location")).toBe(
      "/login?redirect=%2Fswap%2Fusdt-to-mob",
    );
    fakeExchange({ ...approved, [me]: respondWith(makeUser({ kyc_status: "pending" })) });
    expect((await responseOf(mobToUsdt(args("/swap/mob-to-usdt?amount=5", { cookie })))).headers.get("Location")).toBe(
      "/kyc?redirect=%2Fswap%2Fmob-to-usdt%3Famount%3D5",
    );
  });

  it("R08 R09 V04 loads the user, the source asset and the target asset, matched by symbol", async () => {
    fakeExchange(approved);
    const cookie = await sessionCookie();
    const data = await usdtToMob(args("/swap/usdt-to-mob", { cookie }));
    expect(data).toMatchObject({ user: { id: "u1" }, sourceAsset: assets[0], targetAsset: assets[1] });
    expect(data.rates).not.toHaveProperty("history");
    expect(await mobToUsdt(args("/swap/mob-to-usdt", { cookie }))).toMatchObject({
      sourceAsset: assets[1],
      targetAsset: assets[0],
    });
    fakeExchange({ ...approved, "GET /api/swap/assets": respondWith([...assets].reverse()) });
    expect(await usdtToMob(args("/swap/usdt-to-mob", { cookie }))).toMatchObject({
      sourceAsset: assets[0],
      targetAsset: assets[1],
    });
  });

  it.each([[[]], [[assets[0]]], [[assets[1]]]])(
    "R09 E04 with the assets %j: USDT or MOB asset not found",
    async (list) => {
      fakeExchange({ ...approved, "GET /api/swap/assets": respondWith(list) });
      await expect(usdtToMob(args("/swap/usdt-to-mob", { cookie: await sessionCookie() }))).rejects.toMatchObject({
        data: { message: "USDT or MOB asset not found" },
      });
    },
  );

  it("V01 drops a redirect, which the form would otherwise keep in its action", async () => {
    fakeExchange(approved);
    const url = "/swap/usdt-to-mob?amount=5&redirect=%2F%2Fevil.example";
    const response = await responseOf(usdtToMob(args(url, { cookie: await sessionCookie() })));
    expect(response.headers.get("Location")).toBe("/swap/usdt-to-mob?amount=5");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
  });

  it.each([
    [403, 403],
    [404, 502],
  ])("C03 E02 shows the server's message if the assets cannot be loaded (%i)", async (status, pageStatus) => {
    fakeExchange({ ...approved, "GET /api/swap/assets": () => refusal(status, "x", "No assets today.") });
    await expect(usdtToMob(args("/swap/usdt-to-mob", { cookie: await sessionCookie() }))).rejects.toMatchObject({
      data: { message: "No assets today." },
      init: { status: pageStatus },
    });
  });

  it("starts with an amount within the limits or the one in the URL, formatted for the visitor's language", async () => {
    fakeExchange(approved);
    const cookie = await sessionCookie();
    expect((await usdtToMob(args("/swap/usdt-to-mob", { cookie }))).typed).toEqual({ side: "source", text: "250" });
    expect((await mobToUsdt(args("/swap/mob-to-usdt", { cookie }))).typed).toEqual({ side: "source", text: "300" });
    // No amount to receive was entered.
    expect((await usdtToMob(args("/swap/usdt-to-mob?side=target", { cookie }))).typed).toEqual({
      side: "target",
      text: "",
    });
    const germanTarget = args("/swap/usdt-to-mob?amount=12.5&side=target", { cookie, headers: german });
    expect((await usdtToMob(germanTarget)).typed).toEqual({ side: "target", text: "12,5" });
  });

  it("starts with 500 MOB while there is no price, and with the smallest amount if that is below 1 MOB", async () => {
    const cookie = await sessionCookie();
    const first = async (changes: object) => {
      fakeExchange({ ...approved, "GET /api/rates": respondWith({ ...rates, ...changes }) });
      return (await mobToUsdt(args("/swap/mob-to-usdt", { cookie }))).typed.text;
    };
    expect(await first({ rates: null, updated_at: null })).toBe("500");
    expect(Number(await first({ rates: { USDT_MOB: "0.0005", MOB_USDT: "2000" } }))).toBeCloseTo(0.005, 3);
  });

  it("cuts an amount in the URL to 40 characters", async () => {
    fakeExchange(approved);
    const request = args(`/swap/usdt-to-mob?amount=${"x".repeat(41)}`, { cookie: await sessionCookie() });
    expect((await usdtToMob(request)).typed.text).toBe("x".repeat(40));
  });

  it("accepts names such as alice.eth only if the exchange can look them up, and requests the rates of an hour", async () => {
    const ranges: (string | null)[] = [];
    fakeExchange({
      ...approved,
      "GET /api/rates": (request) => {
        ranges.push(new URL(request.url).searchParams.get("range"));
        return Response.json(rates);
      },
    });
    expect(await usdtToMob(args("/swap/usdt-to-mob", { cookie: await sessionCookie() }))).toMatchObject({
      settings: { ensNames: false },
    });
    expect(ranges).toEqual(["1h"]);
  });

  it("preselects the requested addresses, else the one just added, else the newest of the right type", async () => {
    fakeExchange(approved);
    const cookie = await sessionCookie();
    const chosen = async (search: string) => {
      const { delivery, refund } = await usdtToMob(args(`/swap/usdt-to-mob${search}`, { cookie }));
      return [delivery.chosen, refund.chosen];
    };
    expect(await chosen("")).toEqual(["mob-2", "eth-1"]);
    expect(await chosen("?delivery=mob-1")).toEqual(["mob-1", "eth-1"]);
    expect(await chosen("?added=mob-1")).toEqual(["mob-1", "eth-1"]);
    expect(await chosen("?delivery=eth-1&refund=mob-1")).toEqual(["mob-2", "eth-1"]);
    const { refund } = await mobToUsdt(args("/swap/mob-to-usdt?refund=mob-1", { cookie }));
    expect(refund.chosen).toBe("mob-1");
    expect(addresses).toHaveLength(3);
  });

  it("T49 preselects the addresses of the last paid-out swap instead of newer ones, and none in place of a removed one", async () => {
    const cookie = await sessionCookie();
    const choose = async (used: readonly string[], search = "") => {
      const isLast = (id: string) => ({ last_delivery: used.includes(id), last_refund: used.includes(id) });
      const items = addresses.map((address) => ({ ...address, ...isLast(address.id) }));
      fakeExchange({ ...approved, "GET /api/swap/delivery-addresses": respondWith({ items, next: null }) });
      const { delivery, refund } = await usdtToMob(args(`/swap/usdt-to-mob${search}`, { cookie }));
      return [delivery.chosen, refund.chosen];
    };
    expect(await choose(["mob-1", "eth-1"])).toEqual(["mob-1", "eth-1"]);
    expect(await choose(["mob-1", "eth-1"], "?added=mob-2")).toEqual(["mob-2", "eth-1"]);
    expect(await choose(["mob-1", "eth-1"], "?delivery=mob-2")).toEqual(["mob-2", "eth-1"]);
    expect(await choose(["eth-1"])).toEqual([null, "eth-1"]);
    expect(await choose([], "?added=eth-1")).toEqual([null, "eth-1"]);
  });
});

describe("requesting a quote", () => {
  const submit = async (form: Record<string, string>, headers?: HeadersInit) =>
    askUsdtToMob(
      args("/swap/usdt-to-mob", {
        cookie: await sessionCookie(),
        form: { intent: "quote", delivery: "mob-1", refund: "eth-1", ...form },
        headers,
      }),
    );
  const addCall = "POST /api/swap/delivery-addresses";

  it("R12 redirects to the quote page with the quote and the chosen addresses as search params", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: respondWith(makeQuote(), 201) });
    const response = await responseOf(
      submit({ side: "source", source: "1,250.50", target: "", delivery: "mob-1", refund: "eth-1" }),
    );
    const to = new URL(response.headers.get("Location") ?? "", "http://x");
    expect(to.pathname).toBe(`/swap/quote/${quoteId}`);
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      id: String(quoteId),
      locked_at: "null",
      delivery: "mob-1",
      refund: "eth-1",
    });
    expect(exchange.calls.at(-1)?.body).toEqual({
      source_asset_symbol: "USDT",
      target_asset_symbol: "MOB",
      source_amount: "1250.5",
    });
  });

  it("R12 swaps MOB for USDT with the other form, which pays out to Ethereum and refunds to MobileCoin", async () => {
    const quote = makeQuote({ source_asset_symbol: "MOB", target_asset_symbol: "USDT" });
    const exchange = fakeExchange({
      ...approved,
      [addCall]: (_, body) => Response.json({ ...addresses[1], id: (body as { type: string }).type }, { status: 201 }),
      [makeQuoteCall]: respondWith(quote, 201),
    });
    const cookie = await sessionCookie();
    const typed = { side: "source", source: "300.123456789012", new_delivery: "0xabc", new_refund: "mob" };
    const submit = (intent: string) =>
      responseOf(askMobToUsdt(args("/swap/mob-to-usdt", { cookie, form: { intent, ...typed } })));
    expect((await submit("quote")).headers.get("Location")).toBe(
      toQuotePath(quote, { delivery: "ETH", refund: "MOB" }),
    );
    expect(exchange.calls.at(-1)).toEqual({
      call: makeQuoteCall,
      token: "access-1",
      body: { source_asset_symbol: "MOB", target_asset_symbol: "USDT", source_amount: "300.123456789012" },
    });
    const back = "redirect=%2Fswap%2Fmob-to-usdt%3Famount%3D300.123456789012";
    expect((await submit("add-delivery")).headers.get("Location")).toBe(
      `/swap/deliveryaddress/add?addressType=ETH&${back}%26refund%3DMOB`,
    );
    expect((await submit("add-refund")).headers.get("Location")).toBe(
      `/swap/deliveryaddress/add?addressType=MOB&${back}%26delivery%3DETH`,
    );
  });

  it("R08 S02 does not request a quote without an active account and approval, and keeps the amount", async () => {
    const cookie = await sessionCookie();
    const form = { intent: "quote", side: "source", source: "1,250", new_delivery: "mob", new_refund: "0xabc" };
    const locations = [];
    for (const user of [null, makeUser({ is_active: false }), makeUser({ kyc_status: "pending" })]) {
      const exchange = fakeExchange({ ...approved, [me]: respondWith(user) });
      const request = args("/swap/mob-to-usdt?amount=5", { form, ...(user && { cookie }) });
      locations.push((await responseOf(askMobToUsdt(request))).headers.get("Location"));
      expect(exchange.calls.filter(({ call }) => call.startsWith("POST"))).toEqual([]);
    }
    // Not the amount that the page was opened with, and not the addresses.
    const redirect = "?redirect=%2Fswap%2Fmob-to-usdt%3Famount%3D1250";
    expect(locations).toEqual([`/login${redirect}`, `/login${redirect}`, `/kyc${redirect}`]);
  });

  it("keeps an amount to receive and the chosen addresses when the session has ended", async () => {
    fakeExchange(approved);
    const form = { intent: "quote", side: "target", source: "250", target: "1.000,25", delivery: "d1", refund: "r1" };
    const response = await responseOf(askUsdtToMob(args("/swap/usdt-to-mob", { form, headers: german })));
    expect(new URL(response.headers.get("Location") ?? "", "http://x").searchParams.get("redirect")).toBe(
      "/swap/usdt-to-mob?amount=1000.25&side=target&delivery=d1&refund=r1",
    );
  });

  it("requests the target amount if that was typed, in the visitor's number format", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: respondWith(makeQuote(), 201) });
    await responseOf(submit({ side: "target", source: "250", target: "1.000,25" }, german));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ target_amount: "1000.25" });
  });

  it("uses the field that was changed if JavaScript is off", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: respondWith(makeQuote(), 201) });
    const page = { side: "source", was_source: "250", was_target: "710.7044" };
    await responseOf(submit({ ...page, source: "250", target: "99" }));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ target_amount: "99" });
    await responseOf(submit({ ...page, source: "40", target: "710.7044" }));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ source_amount: "40" });
    await responseOf(submit({ ...page, source: "250", target: "710.7044" }));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ source_amount: "250" });
  });

  it.each([
    ["", "Enter an amount."],
    ["ten", "Enter an amount such as 1,250.50."],
    ["1.1234567", "USDT has at most 6 digits after the point."],
  ])("rejects an amount of %j without calling the exchange, and keeps what was typed", async (source, fieldError) => {
    const exchange = fakeExchange(approved);
    expect(await submit({ side: "source", source, delivery: "d1", refund: "", new_refund: "0xabc" })).toEqual({
      typed: { side: "source", text: source },
      chosen: { delivery: "d1", refund: null },
      addresses: { delivery: { typed: "" }, refund: { typed: "0xabc" } },
      fieldError,
    });
    expect(exchange.count(makeQuoteCall)).toBe(0);
  });

  it("reads an amount to receive with the digits of the asset that is received", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: respondWith(makeQuote(), 201) });
    await responseOf(submit({ side: "target", target: "1.123456789012" }));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ target_amount: "1.123456789012" });
  });

  it("shows what the exchange says about the amount that was typed", async () => {
    const fields = { source_amount: "Too little to send.", target_amount: "Too little to receive." };
    const detail = { code: "amount_too_small", message: "Too little.", fields };
    fakeExchange({ ...approved, [makeQuoteCall]: () => Response.json({ detail }, { status: 422 }) });
    expect(await submit({ side: "source", source: "2" })).toMatchObject({ fieldError: "Too little to send." });
    expect(await submit({ side: "target", target: "2" })).toMatchObject({ fieldError: "Too little to receive." });
  });

  it("throws if the exchange cannot be reached, instead of saying that it refused", async () => {
    const unreachable = () => Promise.reject(new TypeError("fetch failed"));
    const typed = { side: "source", source: "250", delivery: "", new_delivery: "mob" };
    fakeExchange({ ...approved, [makeQuoteCall]: unreachable, [addCall]: unreachable });
    await expect(submit({ side: "source", source: "250" })).rejects.toEqual(exchangeUnreachable);
    await expect(submit(typed)).rejects.toEqual(exchangeUnreachable);
    const nameCall = "POST /api/swap/ens-names";
    fakeExchange({ ...approved, [nameCall]: unreachable });
    await expect(submit({ ...typed, delivery: "mob-1", refund: "", new_refund: "alice.eth" })).rejects.toEqual(
      exchangeUnreachable,
    );
  });

  it("does not save a typed address if a saved one is chosen, and can request a quote without addresses", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: respondWith(makeQuote(), 201) });
    await responseOf(submit({ side: "source", source: "250", new_delivery: "mob", new_refund: "0xabc" }));
    await responseOf(submit({ side: "source", source: "250", delivery: "", refund: "" }));
    expect(exchange.count(addCall)).toBe(0);
    expect(exchange.count(makeQuoteCall)).toBe(2);
  });

  it("shows the address of a name before it is saved", async () => {
    const resolved = { name: "alice.eth", address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" };
    const exchange = fakeExchange({ ...approved, "POST /api/swap/ens-names": respondWith(resolved) });
    expect(await submit({ side: "source", source: "250", refund: "", new_refund: "alice.eth" })).toEqual({
      typed: { side: "source", text: "250" },
      chosen: { delivery: "mob-1", refund: null },
      addresses: {
        delivery: { typed: "", error: undefined, resolved: undefined },
        refund: { typed: resolved.address, error: undefined, resolved },
      },
    });
    expect(exchange.count(addCall) + exchange.count(makeQuoteCall)).toBe(0);
  });

  it("shows the exchange's refusal beside the field, or above the form if it is not about the amount", async () => {
    fakeExchange({
      ...approved,
      [makeQuoteCall]: () => refusal(422, "amount_too_small", "The minimum swap is worth 10 USDT."),
    });
    expect(await submit({ side: "source", source: "2" })).toMatchObject({
      fieldError: "The minimum swap is worth 10 USDT.",
    });
    fakeExchange({ ...approved, [makeQuoteCall]: () => refusal(503, "swaps_stopped", "New swaps are stopped.") });
    expect(await submit({ side: "source", source: "20" })).toMatchObject({
      error: "New swaps are stopped.",
      typed: { text: "20" },
    });
  });

  it("saves addresses typed into the form before it requests the quote, because the quote's time would be running", async () => {
    const exchange = fakeExchange({
      ...approved,
      [addCall]: (_, body) => Response.json({ ...addresses[1], id: (body as { type: string }).type }, { status: 201 }),
      [makeQuoteCall]: respondWith(makeQuote(), 201),
    });
    const typed = { delivery: "", refund: "", new_delivery: "\u202a mob ad\ndress \u202c", new_refund: "0xabc" };
    const response = await responseOf(submit({ side: "source", source: "250", ...typed }));
    const to = new URL(response.headers.get("Location") ?? "", "http://x");
    expect(Object.fromEntries(to.searchParams)).toMatchObject({ delivery: "MOB", refund: "ETH" });
    const saved = exchange.calls.filter(({ call }) => call === addCall).map(({ body }) => body);
    expect(saved).toEqual(
      expect.arrayContaining([
        { type: "MOB", address: "mobaddress", label: "" },
        { type: "ETH", address: "0xabc", label: "" },
      ]),
    );
    expect(exchange.calls.at(-1)?.call).toBe(makeQuoteCall);
  });

  it("keeps the addresses of a swap that is repeated chosen if there is no price for it", async () => {
    fakeExchange({
      ...approved,
      [addCall]: (_, body) => Response.json({ ...addresses[1], id: (body as { type: string }).type }, { status: 201 }),
      [makeQuoteCall]: () => refusal(422, "amount_too_small", "Too little."),
    });
    const again = { side: "source", source: "2", delivery: "", refund: "", new_delivery: "mob", new_refund: "0xabc" };
    expect(await submit(again)).toMatchObject({
      chosen: { delivery: "MOB", refund: "ETH" },
      fieldError: "Too little.",
    });
  });

  it("does not request a quote while an address is missing or wrong, and says so at its field", async () => {
    const exchange = fakeExchange({
      ...approved,
      [addCall]: () => refusal(422, "address_invalid", "This is a gift code, not an address."),
    });
    const form = { side: "source", source: "250", delivery: "", refund: "", new_delivery: "gift", new_refund: "" };
    expect(await submit(form)).toEqual({
      typed: { side: "source", text: "250" },
      chosen: { delivery: null, refund: null },
      addresses: {
        delivery: { typed: "gift", error: "This is a gift code, not an address." },
        refund: { typed: "", error: "Enter an address." },
      },
    });
    expect(exchange.count(makeQuoteCall)).toBe(0);
  });

  it("leads to adding a refund address, and keeps an amount that cannot be read", async () => {
    fakeExchange(approved);
    for (const [text, amount] of [
      ["1,000.5", "&amount=1000.5"],
      ["ten", "&amount=ten"],
      ["01.1234567", "&amount=01.1234567"],
      ["", ""],
    ] as const) {
      const response = await responseOf(submit({ intent: "add-refund", side: "source", source: text }));
      const to = new URL(response.headers.get("Location") ?? "", "http://x");
      expect(Object.fromEntries(to.searchParams)).toEqual({
        addressType: "ETH",
        redirect: `/swap/usdt-to-mob?${`${amount}&delivery=mob-1`.slice(1)}`,
      });
    }
  });

  it("does not request a quote while only the address for refunds is wrong", async () => {
    const exchange = fakeExchange({ ...approved, [addCall]: () => refusal(422, "address_invalid", "No address.") });
    // The text only contains a name, so it is not looked up as one.
    expect(await submit({ side: "source", source: "250", refund: "", new_refund: "alice.ether" })).toMatchObject({
      addresses: { delivery: { typed: "" }, refund: { typed: "alice.ether", error: "No address." } },
    });
    expect(exchange.count(makeQuoteCall)).toBe(0);
  });

  it("cuts what was typed to a length that the exchange reads", async () => {
    const exchange = fakeExchange({ ...approved, [addCall]: () => refusal(422, "address_invalid", "No address.") });
    expect(await submit({ side: "neither", source: "x".repeat(65) })).toMatchObject({
      typed: { side: "source", text: "x".repeat(64) },
    });
    await submit({ side: "source", source: "250", delivery: "", new_delivery: "x".repeat(513) });
    expect(exchange.calls.at(-1)?.body).toMatchObject({ address: "x".repeat(512) });
  });

  it("goes to add an address and comes back with the amount and the choices", async () => {
    fakeExchange(approved);
    const form = {
      intent: "add-delivery",
      side: "target",
      target: "1,000.123456789012",
      delivery: "mob-1",
      refund: "eth-1",
    };
    const response = await responseOf(submit(form));
    const to = new URL(response.headers.get("Location") ?? "", "http://x");
    expect(to.pathname).toBe("/swap/deliveryaddress/add");
    expect(Object.fromEntries(to.searchParams)).toEqual({
      addressType: "MOB",
      redirect: "/swap/usdt-to-mob?amount=1000.123456789012&side=target&refund=eth-1",
    });
  });

  it("saves the other address before it goes to add one, or shows what is wrong with it", async () => {
    const form = { intent: "add-delivery", side: "source", source: "250", delivery: "mob-1", refund: "" };
    const exchange = fakeExchange({ ...approved, [addCall]: respondWith({ ...addresses[1], id: "eth-9" }, 201) });
    const response = await responseOf(submit({ ...form, new_refund: "0xabc" }));
    expect(exchange.calls.at(-1)?.body).toEqual({ type: "ETH", address: "0xabc", label: "" });
    const to = new URL(response.headers.get("Location") ?? "", "http://x");
    expect(to.searchParams.get("redirect")).toBe("/swap/usdt-to-mob?amount=250&refund=eth-9");

    expect((await responseOf(submit({ ...form, new_refund: "" }))).status).toBe(302);
    fakeExchange({ ...approved, [addCall]: () => refusal(422, "address_invalid", "No address.") });
    expect(await submit({ ...form, new_refund: "0xabc" })).toEqual({
      typed: { side: "source", text: "250" },
      chosen: { delivery: "mob-1", refund: null },
      addresses: { delivery: { typed: "" }, refund: { typed: "0xabc", error: "No address." } },
    });
  });

  it("T2 refuses a form posted from another site", async () => {
    fakeExchange(approved);
    const response = await responseOf(submit({ source: "250" }, { origin: "https://evil.example" }));
    expect(response.status).toBe(403);
  });
});
