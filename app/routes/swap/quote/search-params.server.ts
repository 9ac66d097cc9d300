import { z } from "zod";
import { type Quote, quoteIdText } from "~/api/contract";
import { assetSymbols } from "~/lib/assets";
import { quoteParamNames } from "~/lib/quote-path";

/**
 * V05, V06: a quote as search params: the assets are MOB and USDT, id is a number, locked_at a string or null, the rest
 * strings. `matchesQuote` compares them with the record.
 */
const quoteSearchSchema = z.object({
  id: quoteIdText,
  source_asset_symbol: z.enum(assetSymbols),
  target_asset_symbol: z.enum(assetSymbols),
  source_amount: z.string(),
  target_amount: z.string(),
  fee_amount: z.string(),
  fee_asset_symbol: z.string(),
  exchange_rate: z.string(),
  expires_at: z.string(),
  locked_at: z.string().transform((text) => (text === "null" ? null : text)),
  created_at: z.string(),
  updated_at: z.string(),
});
export type QuoteSearch = z.infer<typeof quoteSearchSchema>;

/** Whether the URL has none of the quote's params. The page then redirects to the complete URL. */
export function lacksQuote(params: URLSearchParams): boolean {
  return !quoteParamNames.some((name) => params.has(name));
}

/** The quote in the search params, or null if they are invalid or one is repeated. */
export function parseQuoteSearch(params: URLSearchParams): QuoteSearch | null {
  if (quoteParamNames.some((name) => params.getAll(name).length > 1)) return null;
  return quoteSearchSchema.safeParse(Object.fromEntries(params)).data ?? null;
}

const times = ["expires_at", "locked_at", "updated_at"] as const;

/** Whether the params match the exchange's record: fixed fields exactly, while times may be earlier. */
export function matchesQuote(search: QuoteSearch, record: Quote): boolean {
  return (
    times.every((name) => isNotLater(search[name], record[name])) &&
    quoteParamNames.every((name) => times.some((time) => time === name) || search[name] === record[name])
  );
}

/** Null counts as earlier than any time. Text that is not a time never matches. */
function isNotLater(param: string | null, recorded: string | null): boolean {
  return param === null || (recorded !== null && Date.parse(param) <= Date.parse(recorded));
}
