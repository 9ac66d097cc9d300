import type { Quote } from "~/api/contract";
import { paths, withParams } from "./paths";

/** V06: the entity's members that ride in the address of its screen, in this order. */
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
] as const satisfies readonly (keyof Quote)[];

/** What the visitor chose on the way, carried along. */
export type ChosenAddresses = { delivery?: string | null; refund?: string | null; added?: string | null };

/** R12: the quote screen with the quote as its search params. A price that is not locked says `locked_at=null`. */
export function toQuotePath(quote: Quote, chosen: ChosenAddresses = {}): string {
  const params = Object.fromEntries(quoteParamNames.map((name) => [name, String(quote[name])]));
  return withParams(paths.quote(quote.id), { ...params, ...chosen });
}
