import type { AssetSymbol } from "../../lib/assets";
import { bpsCeil, formatAmount, invertRateFloor, mulDivCeil, toSourceCeil, toTargetFloor } from "../../lib/money";
import type { ExchangeConfig } from "../context";
import { ExchangeError } from "../errors";

/** What a price is made of; all amounts in base units, `rate` target per 1 source with 12 decimals. */
export type Price = { sourceAmount: bigint; feeAmount: bigint; targetAmount: bigint; rate: bigint };

export type Pricing = Pick<ExchangeConfig, "feeBps" | "payoutCost" | "minUsdt" | "maxUsdt">;

type Pair = { source: AssetSymbol; target: AssetSymbol; rate: bigint };

/** The rate of a direction from the one number that sources give, USDT per 1 MOB. */
export function rateOf(source: AssetSymbol, usdtPerMob: bigint): bigint {
  return source === "MOB" ? usdtPerMob : invertRateFloor(usdtPerMob);
}

/** fee = max(ceil(source × fee), the payout's cost converted and rounded up), in the source asset. */
function feeOf(sourceAmount: bigint, pair: Pair, pricing: Pricing): bigint {
  const share = bpsCeil(sourceAmount, pricing.feeBps);
  const cost = toSourceCeil(pricing.payoutCost[pair.target], pair);
  return share > cost ? share : cost;
}

/**
 * Prices what is sent: target = floor((source − fee) × rate), and exactly that arrives.
 * Limits are not looked at; see `requireWithinLimits`. @throws amount_too_small when nothing would arrive
 */
export function priceOfSource(sourceAmount: bigint, pair: Pair, pricing: Pricing): Price {
  const feeAmount = feeOf(sourceAmount, pair, pricing);
  const targetAmount = sourceAmount > feeAmount ? toTargetFloor(sourceAmount - feeAmount, pair) : 0n;
  if (targetAmount <= 0n)
    throw new ExchangeError("amount_too_small", { message: "The fee would leave nothing to pay out." });
  return { sourceAmount, feeAmount, targetAmount, rate: pair.rate };
}

/**
 * Prices what is wanted: the least source that yields at least `targetAmount`.
 * source − fee(source) never falls as source grows, and the fee is the larger of a share
 * and a fixed cost, so the least source is the larger of the two answers.
 */
export function priceOfTarget(targetAmount: bigint, pair: Pair, pricing: Pricing): Price {
  const net = toSourceCeil(targetAmount, pair);
  const withShare = mulDivCeil(net, 10_000n, 10_000n - BigInt(pricing.feeBps));
  const withCost = net + toSourceCeil(pricing.payoutCost[pair.target], pair);
  return priceOfSource(withShare > withCost ? withShare : withCost, pair, pricing);
}

/** The gross source in micro-USDT at the pair's rate: what limits are measured by. */
export function usdtValueOf(sourceAmount: bigint, pair: Pair): bigint {
  return pair.source === "USDT" ? sourceAmount : toTargetFloor(sourceAmount, pair);
}

/** @throws amount_too_small, amount_too_large with the limit in words */
export function requireWithinLimits(sourceAmount: bigint, pair: Pair, pricing: Pricing): void {
  const value = usdtValueOf(sourceAmount, pair);
  if (value < pricing.minUsdt) {
    throw new ExchangeError("amount_too_small", {
      message: `A swap is worth at least ${formatAmount(pricing.minUsdt, "USDT")} USDT.`,
    });
  }
  if (value > pricing.maxUsdt) {
    throw new ExchangeError("amount_too_large", {
      message: `A swap is worth at most ${formatAmount(pricing.maxUsdt, "USDT")} USDT.`,
    });
  }
}

/** Whether a swap of this size is within the limits. */
export function isWithinLimits(sourceAmount: bigint, pair: Pair, pricing: Pricing): boolean {
  const value = usdtValueOf(sourceAmount, pair);
  return value >= pricing.minUsdt && value <= pricing.maxUsdt;
}
