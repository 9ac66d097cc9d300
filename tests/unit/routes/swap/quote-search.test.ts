import { expect, it } from "vitest";
import type { Quote } from "~/api/contract";
import { matchesQuote, type QuoteSearch } from "~/routes/swap/quote/search-params.server";

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
  ["with a later change", { updated_at: "2026-01-01T00:00:31.000Z" }, false],
])("V06 T36 params %s", (_name, change, isMatch) => {
  expect(matchesQuote({ ...params, ...change }, record)).toBe(isMatch);
});
