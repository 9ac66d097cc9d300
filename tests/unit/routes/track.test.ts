import { describe, expect, it } from "vitest";
import { toLoggedPath } from "~/config/log.server";
import { headers, loader } from "~/routes/track/route";
import { args, fakeExchange, refusal, sessionCookie, withoutRetryWaits } from "../../support/site";

const token = "Zm9sbG93LXRoaXMtc3dhcC13aXRoLTI1Ni1iaXRzLTE";
const order = {
  status: "confirming",
  source_asset_symbol: "USDT",
  target_asset_symbol: "MOB",
  source_amount: "100",
  target_amount: "284.12",
  received_amount: "100",
  expires_at: "2026-01-01T00:30:00.000Z",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:05:00.000Z",
  transactions: [],
};
const open = async (text: string, init: Parameters<typeof args>[1] = {}) =>
  loader({ ...args(`/track/${text}`, init), params: { token: text } });

describe("the page of a tracking link", () => {
  it("does not need or send a session: the page is the same for everyone", async () => {
    const exchange = fakeExchange({ "GET /api/tracking": () => Response.json(order) });
    const shown = await open(token);
    expect([shown.data, shown.init]).toEqual([{ order }, null]);
    expect(await open(token, { cookie: await sessionCookie() })).toEqual(shown);
    expect(exchange.calls.map(({ call, token: sent }) => [call, sent])).toEqual([
      ["GET /api/tracking", null],
      ["GET /api/tracking", null],
    ]);
  });

  it("T75 gives the same 404 for a link that is unknown, revoked or mistyped", async () => {
    fakeExchange({ "GET /api/tracking": () => refusal(404, "not_found", "Not found.") });
    const results = await Promise.all([token, "short", "x".repeat(500), "../swap"].map((text) => open(text)));
    for (const result of results) expect(result).toEqual(results[0]);
    expect(results[0]).toMatchObject({ data: { order: null }, init: { status: 404 } });
  });

  it.each(["", "short", `x${token}`, `${token}x`, "x".repeat(500), `${token.slice(1)}.`, "../swap"])(
    "T75 does not call the exchange for %j, which is not a token",
    async (text) => {
      const { calls } = fakeExchange({ "GET /api/tracking": () => Response.json(order) });
      const { data, init } = await open(text);
      expect([data, init, calls]).toEqual([{ order: null }, { status: 404 }, []]);
    },
  );

  it("does not say that a link is unknown when the exchange refuses or does not respond", async () => {
    fakeExchange({ "GET /api/tracking": () => refusal(429, "rate_limited", "Too many.", { "Retry-After": "60" }) });
    expect(await open(token)).toMatchObject({ data: { order: "unavailable" }, init: { status: 429 } });
    fakeExchange({ "GET /api/tracking": () => Promise.reject(new TypeError("fetch failed")) });
    expect(await withoutRetryWaits(() => open(token))).toMatchObject({
      data: { order: "unavailable" },
      init: { status: 503 },
    });
    for (const response of [new Response("<html>maintenance"), new Response(null, { status: 304 })]) {
      fakeExchange({ "GET /api/tracking": () => response });
      expect(await open(token)).toMatchObject({ data: { order: "unavailable" }, init: { status: 503 } });
    }
  });

  it("T74 is not stored or indexed, and does not send a referrer", () => {
    expect(headers()).toEqual({
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
    });
  });

  it.each([`/track/${token}`, `/track/${token}.data?_routes=x`, `https://antelope.example/track/${token}/`])(
    "T74 keeps the token out of the log: %s",
    (url) => expect(toLoggedPath(url)).toBe("/track/…"),
  );

  it.each([
    `/%74rack/${token}`,
    `//track/${token}`,
    `/./track/${token}`,
    `http://x.example//TRACK/${token}`,
    `/%74rack/${token.replace(/(?<=^.{20})./, (c) => `%${c.charCodeAt(0).toString(16)}`)}`,
  ])("T74 keeps the token out of the log however the path is written: %s", (url) =>
    expect(toLoggedPath(url)).not.toContain(token.slice(0, 10)),
  );
});
