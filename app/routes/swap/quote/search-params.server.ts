import { z } from "zod";
import type { Quote } from "~/api/contract";
import { assetSymbols } from "~/lib/assets";
import { quoteParamNames } from "~/lib/quote-path";

/** V05, V06: a quote as search params: MOB and USDT alone, id a number, locked_at a time or null, the rest strings. */
const quoteSearchSchema = z.object({
  id: z
    .string()
    .regex(/^[1-9][0-9]{0,15}$/)
    .transform(Number)
    .refine(Number.isSafeInteger),
  source_asset_symbol: z.enum(assetSymbols),
  target_asset_symbol: z.enum(assetSymbols),
  source_amount: z.string().min(1),
  target_amount: z.string().min(1),
  fee_amount: z.string().min(1),
  fee_asset_symbol: z.string().min(1),
  exchange_rate: z.string().min(1),
  expires_at: z.string().datetime(),
  locked_at: z.union([z.literal("null").transform(() => null), z.string().datetime()]),
  created_at: z.string().datetime(),
  updated_at: z.string().datetime(),
});
export type QuoteSearch = z.infer<typeof quoteSearchSchema>;

/** None of the quote's members is there at all: the address is to be made whole. */
export function lacksQuote(params: URLSearchParams): boolean {
  return !quoteParamNames.some((name) => params.has(name));
}

/** The quote that the address tells of, or null where it is none. A param given twice says two things. */
export function parseQuoteSearch(params: URLSearchParams): QuoteSearch | null {
  if (quoteParamNames.some((name) => params.getAll(name).length > 1)) return null;
  return quoteSearchSchema.safeParse(Object.fromEntries(params)).data ?? null;
}

const immutable = [
  "id",
  "source_asset_symbol",
  "target_asset_symbol",
  "source_amount",
  "target_amount",
  "fee_amount",
  "fee_asset_symbol",
  "exchange_rate",
  "created_at",
] as const satisfies readonly (keyof QuoteSearch & keyof Quote)[];

/** What never changes about a quote has to be the exchange's record, to the letter; times may be older. */
export function agrees(search: QuoteSearch, record: Quote): boolean {
  const times = ["expires_at", "locked_at", "updated_at"] as const;
  return (
    immutable.every((name) => search[name] === record[name]) &&
    times.every((name) => isOlder(search[name], record[name]))
  );
}

/** Null is older than any time; nothing that the exchange has not said yet can be true. */
function isOlder(told: string | null, known: string | null): boolean {
  return told === null || (known !== null && Date.parse(told) <= Date.parse(known));
}
