import { describe, expect, it } from "vitest";
import { toLoggedPath } from "~/config/log.server";
import { headers, loader } from "~/routes/documents/track/route";
import { args, fakeExchange, refusal, sessionCookie } from "../../../support/site";

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
  it("needs no session, and sends none: the page is the same for everyone", async () => {
    const exchange = fakeExchange({ "GET /api/tracking": () => Response.json(order) });
    expect(await open(token)).toMatchObject({ data: { order } });
    expect(await open(token, { cookie: await sessionCookie() })).toMatchObject({ data: { order } });
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

  it("T74 is not stored, not indexed, and sends no referrer", () => {
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
});
