import { expect, it } from "vitest";
import type { Quote } from "~/api/contract";
import { agrees, type QuoteSearch } from "~/routes/swap/quote/search-params.server";

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
const { status: _, ...told } = record;

it.each<[string, Partial<QuoteSearch>, boolean]>([
  ["as the record has it", {}, true],
  [
    "as it was before the lock",
    { locked_at: null, expires_at: "2026-01-01T00:01:00.000Z", updated_at: record.created_at },
    true,
  ],
  ["with another amount", { source_amount: "100.0" }, false],
  ["with an end that nobody promised", { expires_at: "2099-01-01T00:00:00.000Z" }, false],
  ["locked later than it was", { locked_at: "2026-01-01T00:00:31.000Z" }, false],
  ["changed after its last change", { updated_at: "2026-01-01T00:00:31.000Z" }, false],
])("V06 T36 a quote told %s", (_name, change, right) => {
  expect(agrees({ ...told, ...change }, record)).toBe(right);
});
