import type { CurrencyCode } from "../lib/currencies";

/** What 1 USDT is worth in other currencies, with 12 decimals, and the time of these rates. */
export type CurrencyTable = { at: Date; perUsdt: ReadonlyMap<CurrencyCode, bigint> };

/**
 * Returns the rates known so far, or null, without waiting: these values are optional, so pages do not wait for them.
 */
export type CurrencySource = { current(): CurrencyTable | null };
