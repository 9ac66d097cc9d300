import type { Quote } from "~/api/contract";

export const quoteId = 1_575_403_237_068_558;

/** A quote as the API returns it, of 250 USDT. */
export function makeQuote(changes: Partial<Quote> = {}): Quote {
  return {
    id: quoteId,
    status: "open",
    source_asset_symbol: "USDT",
    target_asset_symbol: "MOB",
    source_amount: "250",
    target_amount: "710.704482",
    fee_amount: "1.25",
    fee_asset_symbol: "USDT",
    exchange_rate: "2.857142857142",
    expires_at: "2030-01-01T00:01:00.000Z",
    locked_at: null,
    created_at: "2030-01-01T00:00:00.000Z",
    updated_at: "2030-01-01T00:00:00.000Z",
    ...changes,
  };
}
