import { expect, it } from "vitest";
import type { Quote } from "~/api/contract";
import { matchesQuote, parseQuoteSearch, type QuoteSearch } from "~/routes/swap/quote/search-params.server";

const record: Quote = {
  id: 7,
  status: "locked",
  source_asset_symbol: "USDT",
  target_asset_symbol: "MOB",
  source_amount: "100",
  target_amount: "285",
  fee_amount: "0.5",
  fee_asset_symbol: "USDT",
  exchange_rate: "2.857",
  expires_at: "2026-01-01T00:30:00.000Z",
  locked_at: "2026-01-01T00:00:30.000Z",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:30.000Z",
};
const { status: _, ...params } = record;

const parse = (change: Record<string, string>) =>
  parseQuoteSearch(
    new URLSearchParams({ ...Object.fromEntries(Object.entries(params).map(([k, v]) => [k, String(v)])), ...change }),
  );

it("V06 reads the id as a number, locked_at=null as null, and all else as strings of any form", () => {
  expect(parse({})).toEqual(params);
  expect(parse({ locked_at: "null" })).toEqual({ ...params, locked_at: null });
  const texts = { source_amount: "", exchange_rate: "much", expires_at: "soon", locked_at: "1", updated_at: "null" };
  expect(parse(texts)).toEqual({ ...params, ...texts });
});

it.each<Record<string, string>>([
  { id: "x" },
  { id: "0" },
  { id: "-7" },
  { id: "7.0" },
  { id: "99999999999999999" },
  { source_asset_symbol: "BTC" },
  { target_asset_symbol: "mob" },
])("V05 V06 refuses %j", (change) => {
  expect(parse(change)).toBeNull();
});

it.each<[string, Partial<QuoteSearch>, boolean]>([
  ["equal to the record", {}, true],
  [
    "from before the lock",
    { locked_at: null, expires_at: "2026-01-01T00:01:00.000Z", updated_at: record.created_at },
    true,
  ],
  ["with another amount", { source_amount: "100.0" }, false],
  ["with a later expiry", { expires_at: "2099-01-01T00:00:00.000Z" }, false],
  ["with a later lock time", { locked_at: "2026-01-01T00:00:31.000Z" }, false],
  ["with times that are none", { expires_at: "soon" }, false],
  ["with an empty time", { updated_at: "" }, false],
  ["with a later change", { updated_at: "2026-01-01T00:00:31.000Z" }, false],
])("V06 T36 params %s", (_name, change, isMatch) => {
  expect(matchesQuote({ ...params, ...change }, record)).toBe(isMatch);
});
