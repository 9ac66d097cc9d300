import { describe, expect, it } from "vitest";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../../support/site";
import { addresses, answer, assets, directionCalls, makeQuote, quoteId } from "./world";

const { loader: usdtToMob, action: askUsdtToMob } = await import("~/routes/swap/usdt-to-mob/route");
const { loader: mobToUsdt } = await import("~/routes/swap/mob-to-usdt/route");

const me = "GET /api/users/me";
const makeQuoteCall = "POST /api/swap/quotes";
const approved = { [me]: answer(makeUser()), ...directionCalls };
const german = { "accept-language": "de" };

describe("/swap/usdt-to-mob and /swap/mob-to-usdt", () => {
  it("R08 S02 without an active account → /login, without approval → /kyc with the way back", async () => {
    const cookie = await sessionCookie();
    fakeExchange({ ...approved, [me]: answer(makeUser({ is_active: false })) });
    expect((await responseOf(usdtToMob(args("/swap/usdt-to-mob", { cookie })))).headers.get("Location")).toBe(
      "/login?redirect=%2Fswap%2Fusdt-to-mob",
    );
    fakeExchange({ ...approved, [me]: answer(makeUser({ kyc_status: "pending" })) });
    expect((await responseOf(mobToUsdt(args("/swap/mob-to-usdt?amount=5", { cookie })))).headers.get("Location")).toBe(
      "/kyc?redirect=%2Fswap%2Fmob-to-usdt%3Famount%3D5",
    );
  });

  it("R08 R09 V04 hands on the user, the source asset and the target asset, matched by symbol", async () => {
    fakeExchange(approved);
    const cookie = await sessionCookie();
    const there = await usdtToMob(args("/swap/usdt-to-mob", { cookie }));
    expect(there).toMatchObject({ user: { id: "u1" }, sourceAsset: assets[0], targetAsset: assets[1] });
    expect(there.rates).not.toHaveProperty("history");
    expect(await mobToUsdt(args("/swap/mob-to-usdt", { cookie }))).toMatchObject({
      sourceAsset: assets[1],
      targetAsset: assets[0],
    });
  });

  it.each([[[]], [[assets[0]]], [[assets[1]]]])(
    "R09 E04 a list of %j lacks one: USDT or MOB asset not found",
    async (list) => {
      fakeExchange({ ...approved, "GET /api/swap/assets": answer(list) });
      await expect(usdtToMob(args("/swap/usdt-to-mob", { cookie: await sessionCookie() }))).rejects.toMatchObject({
        data: { message: "USDT or MOB asset not found" },
      });
    },
  );

  it("C03 E02 says the server's words where the assets cannot be had", async () => {
    fakeExchange({ ...approved, "GET /api/swap/assets": () => refusal(403, "x", "No assets today.") });
    await expect(usdtToMob(args("/swap/usdt-to-mob", { cookie: await sessionCookie() }))).rejects.toMatchObject({
      data: { message: "No assets today." },
    });
  });

  it("begins with an amount within the limits, takes one that was brought along, and writes it as the visitor does", async () => {
    fakeExchange(approved);
    const cookie = await sessionCookie();
    expect((await usdtToMob(args("/swap/usdt-to-mob", { cookie }))).typed).toEqual({ side: "source", text: "250" });
    expect((await mobToUsdt(args("/swap/mob-to-usdt", { cookie }))).typed).toEqual({ side: "source", text: "300" });
    const brought = args("/swap/usdt-to-mob?amount=12.5&side=target", { cookie, headers: german });
    expect((await usdtToMob(brought)).typed).toEqual({ side: "target", text: "12,5" });
  });

  it("chooses the addresses asked for, else the one just added, else the newest of the right kind", async () => {
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
    expect(addresses).toHaveLength(3);
  });
});

describe("asking for a price", () => {
  const ask = async (form: Record<string, string>, headers?: HeadersInit) =>
    askUsdtToMob(
      args("/swap/usdt-to-mob", { cookie: await sessionCookie(), form: { intent: "quote", ...form }, headers }),
    );

  it("R12 leads to the quote's screen with the quote as its search params and the addresses chosen", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: answer(makeQuote(), 201) });
    const response = await responseOf(
      ask({ side: "source", source: "1,250.50", target: "", delivery: "mob-1", refund: "eth-1" }),
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

  it("asks by what is wanted where that was typed, in the visitor's own way of writing", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: answer(makeQuote(), 201) });
    await responseOf(ask({ side: "target", source: "250", target: "1.000,25" }, german));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ target_amount: "1000.25" });
  });

  it("without scripts the field that was changed is the one that counts", async () => {
    const exchange = fakeExchange({ ...approved, [makeQuoteCall]: answer(makeQuote(), 201) });
    const page = { side: "source", was_source: "250", was_target: "710.7044" };
    await responseOf(ask({ ...page, source: "250", target: "99" }));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ target_amount: "99" });
    await responseOf(ask({ ...page, source: "40", target: "710.7044" }));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ source_amount: "40" });
    await responseOf(ask({ ...page, source: "250", target: "710.7044" }));
    expect(exchange.calls.at(-1)?.body).toMatchObject({ source_amount: "250" });
  });

  it.each([
    ["", "Write how much."],
    ["ten", "Write an amount such as 1,250.50."],
    ["1.1234567", "USDT has at most 6 digits after the point."],
  ])("an amount of %j comes back with what was typed and asks the exchange nothing", async (source, fieldError) => {
    const exchange = fakeExchange(approved);
    expect(await ask({ side: "source", source })).toEqual({ typed: { side: "source", text: source }, fieldError });
    expect(exchange.count(makeQuoteCall)).toBe(0);
  });

  it("says the exchange's refusal beside the field, or above the form where it is about no amount", async () => {
    fakeExchange({
      ...approved,
      [makeQuoteCall]: () => refusal(422, "amount_too_small", "A swap is worth at least 10 USDT."),
    });
    expect(await ask({ side: "source", source: "2" })).toMatchObject({
      fieldError: "A swap is worth at least 10 USDT.",
    });
    fakeExchange({ ...approved, [makeQuoteCall]: () => refusal(503, "swaps_stopped", "New swaps are stopped.") });
    expect(await ask({ side: "source", source: "20" })).toMatchObject({
      error: "New swaps are stopped.",
      typed: { text: "20" },
    });
  });

  it("goes to add an address and loses nothing: the way back carries amount and choices", async () => {
    fakeExchange(approved);
    const form = { intent: "add-delivery", side: "target", target: "1,000.5", delivery: "mob-1", refund: "eth-1" };
    const response = await responseOf(ask(form));
    const to = new URL(response.headers.get("Location") ?? "", "http://x");
    expect(to.pathname).toBe("/swap/deliveryaddress/add");
    expect(Object.fromEntries(to.searchParams)).toEqual({
      addressType: "MOB",
      redirect: "/swap/usdt-to-mob?amount=1000.5&side=target&refund=eth-1",
    });
  });

  it("T2 refuses a form of another site", async () => {
    fakeExchange(approved);
    const response = await responseOf(ask({ source: "250" }, { origin: "https://evil.example" }));
    expect(response.status).toBe(403);
  });
});
