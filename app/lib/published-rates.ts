/** Turns the amounts of GET /api/rates, which are strings, into what `price.ts` calculates with. */
import type { AssetSymbol, Direction } from "./assets";
import { type Pair, parseAmount, parseDecimal, RATE_DECIMALS } from "./money";
import type { PriceTerms } from "./price";

/** The part of GET /api/rates that a price depends on. */
export type PublishedRates = {
  rates: { USDT_MOB: string; MOB_USDT: string } | null;
  fee_bps: number;
  limits: { min_usdt: string; max_usdt: string };
  payout_cost: Record<AssetSymbol, string>;
};

/** The direction with its published rate, or null while no trustworthy rate is known. */
export function toPair(direction: Direction, { rates }: Pick<PublishedRates, "rates">): Pair | null {
  if (rates === null) return null;
  const rate = direction.source === "USDT" ? rates.USDT_MOB : rates.MOB_USDT;
  return { ...direction, rate: parseDecimal(rate, RATE_DECIMALS) };
}

/** The published fee, payout costs and limits in base units. */
export function toPriceTerms({ fee_bps, limits, payout_cost }: PublishedRates): PriceTerms {
  return {
    feeBps: fee_bps,
    payoutCost: { USDT: parseAmount(payout_cost.USDT, "USDT"), MOB: parseAmount(payout_cost.MOB, "MOB") },
    minUsdt: parseAmount(limits.min_usdt, "USDT"),
    maxUsdt: parseAmount(limits.max_usdt, "USDT"),
  };
}
