/** Approximate values in the visitor's currency. They are never used to calculate a price. */
import type { AssetSymbol } from "./assets";
import { formatDecimal, type Pair, parseDecimal, RATE_DECIMALS, toSourceCeil, toTargetFloor } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";

/** The visitor's currency and how to format it. The server gets the format from Intl. */
export type Currency = {
  /** "EUR" */
  code: string;
  /** As in "20 euros". */
  name: string;
  /** What 1 USDT is worth, with at most 12 decimals. */
  perUsdt: string;
  decimals: number;
  /** The text before and after the number: "€" and "", or "" and " €". */
  prefix: string;
  suffix: string;
};

export type Worth = {
  /** "≈ €104.20" */
  shown: string;
  /** "about 104.20 euros" */
  spoken: string;
};

/** An amount in base units. `pair` has the rate between the two assets. Without it, MOB cannot be valued. */
export type Valued = { amount: bigint; asset: AssetSymbol; pair: Pair | null };

/** Returns null for an amount of zero, or if no rate is known. */
export function toWorth(valued: Valued, currency: Currency, style: NumberStyle): Worth | null {
  const usdt = toUsdt(valued);
  if (usdt === null || valued.amount <= 0n) return null;
  const { decimals, prefix, suffix, name } = currency;
  // USDT has 6 decimals and the rate 12.
  const scale = 10n ** 18n;
  const exact = usdt * parseDecimal(currency.perUsdt, RATE_DECIMALS) * 10n ** BigInt(decimals);
  const rounded = (exact + scale / 2n) / scale;
  const least = rounded === 0n;
  const number = formatDecimalText(formatDecimal(least ? 1n : rounded, decimals), style, decimals);
  return {
    shown: `${least ? "<" : "≈"}\u00a0${prefix}${number}${suffix}`,
    spoken: `${least ? "less than" : "about"} ${number} ${name}`,
  };
}

function toUsdt({ amount, asset, pair }: Valued): bigint | null {
  if (asset === "USDT") return amount;
  if (pair === null) return null;
  return pair.source === "MOB" ? toTargetFloor(amount, pair) : toSourceCeil(amount, pair);
}
