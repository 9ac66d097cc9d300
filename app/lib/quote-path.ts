import { paths, withParams } from "./paths";

/** V06: the fields of a quote that are search params of its screen, in this order. */
export const quoteParamNames = [
  "id",
  "source_asset_symbol",
  "target_asset_symbol",
  "source_amount",
  "target_amount",
  "fee_amount",
  "fee_asset_symbol",
  "exchange_rate",
  "expires_at",
  "locked_at",
  "created_at",
  "updated_at",
] as const;

type QuoteFields = Record<(typeof quoteParamNames)[number], string | number | null> & { id: number };

/** The ids of the addresses that the visitor chose before the quote page, and of the quote that this one renews. */
type ChosenAddresses = {
  delivery?: string | null;
  refund?: string | null;
  added?: string | null;
  renews?: number | null;
};

/** R12: the quote screen with the quote as its search params. A quote that is not locked has `locked_at=null`. */
export function toQuotePath(quote: QuoteFields, chosen: ChosenAddresses = {}): string {
  const params = Object.fromEntries(quoteParamNames.map((name) => [name, String(quote[name])]));
  return withParams(paths.quote(quote.id), { ...params, ...chosen });
}
