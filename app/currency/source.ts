import type { CurrencyCode } from "../lib/currencies";

/** What 1 USDT is worth in other currencies, with 12 decimals, and when. */
export type CurrencyTable = { at: Date; perUsdt: ReadonlyMap<CurrencyCode, bigint> };

/** Says at once what is known now; null if nothing is. A page never waits for a rate that it only shows beside others. */
export type CurrencySource = { current(): CurrencyTable | null };
