/**
 * The price of a swap, in base units: fee, source amount, target amount and limits. The exchange uses it for quotes
 * and fills, and the browser for the amounts that a visitor types, so both always agree.
 */
import type { AssetSymbol } from "./assets";
import { maxBigint } from "./bigint";
import { bpsCeil, invertRateFloor, mulDivCeil, type Pair, toSourceCeil, toTargetFloor } from "./money";

/** Which of the two amounts of a swap is given; the other one follows from it. */
export type Side = "source" | "target";

/** The text of an amount, and the field that the visitor typed it in. */
export type Typed = { side: Side; text: string };

export type PriceTerms = {
  feeBps: number;
  /** What one payout of the asset costs us, in its base units. */
  payoutCost: Record<AssetSymbol, bigint>;
  /** The limits of a swap in micro-USDT, both inclusive. */
  minUsdt: bigint;
  maxUsdt: bigint;
};

/** `feeAmount` is in the source asset and part of `sourceAmount`. */
export type Price = { sourceAmount: bigint; feeAmount: bigint; targetAmount: bigint; rate: bigint };

/** `limit` is the limit that is exceeded or not reached, in micro-USDT. */
type LimitProblem = { kind: "too-small" | "too-large"; limit: bigint };

/** Why a price cannot be quoted. */
export type PriceProblem = LimitProblem | { kind: "nothing-left" };

/** The rate of a direction (target per 1 source), from USDT per 1 MOB; both with 12 decimals. */
export function toDirectionRate(source: AssetSymbol, usdtPerMob: bigint): bigint {
  return source === "MOB" ? usdtPerMob : invertRateFloor(usdtPerMob);
}

/** What the exchange pays (`bid`) and asks (`ask`) for 1 MOB, in USDT with 12 decimals. */
export type BidAsk = { bid: bigint; ask: bigint };

/** The rate at which the exchange swaps in a direction: customers sell MOB at the bid and buy it at the ask. */
export function toQuotedRate(source: AssetSymbol, { bid, ask }: BidAsk): bigint {
  return toDirectionRate(source, source === "MOB" ? bid : ask);
}

/**
 * Prices a swap by its source or its target amount. Does not check limits: see `findPriceProblem`.
 * @returns `targetAmount` 0n if the fee leaves nothing to pay out
 */
export function toPrice({ side, amount }: { side: Side; amount: bigint }, pair: Pair, terms: PriceTerms): Price {
  return side === "source" ? toPriceOfSource(amount, pair, terms) : toPriceOfTarget(amount, pair, terms);
}

/** target = floor((source − fee) × rate) */
function toPriceOfSource(sourceAmount: bigint, pair: Pair, terms: PriceTerms): Price {
  const feeAmount = toFee(sourceAmount, pair, terms);
  const targetAmount = sourceAmount > feeAmount ? toTargetFloor(sourceAmount - feeAmount, pair) : 0n;
  return { sourceAmount, feeAmount, targetAmount, rate: pair.rate };
}

/**
 * The smallest source amount that yields at least `targetAmount`. The fee is the larger of a percentage and a fixed
 * cost, and source − fee(source) never falls as source grows. So the smallest source amount is the larger of the two
 * solutions, one for each kind of fee.
 */
function toPriceOfTarget(targetAmount: bigint, pair: Pair, terms: PriceTerms): Price {
  const net = toSourceCeil(targetAmount, pair);
  const withPercentage = mulDivCeil(net, 10_000n, 10_000n - BigInt(terms.feeBps));
  const withPayoutCost = net + toPayoutCostInSource(pair, terms);
  return toPriceOfSource(maxBigint(withPercentage, withPayoutCost), pair, terms);
}

/** fee = max(ceil(source × feeBps), payout cost), in the source asset. */
function toFee(sourceAmount: bigint, pair: Pair, terms: PriceTerms): bigint {
  return maxBigint(bpsCeil(sourceAmount, terms.feeBps), toPayoutCostInSource(pair, terms));
}

/** What the payout costs us, in the source asset: the lowest possible fee. */
export function toPayoutCostInSource(pair: Pair, terms: Pick<PriceTerms, "payoutCost">): bigint {
  return toSourceCeil(terms.payoutCost[pair.target], pair);
}

/** The value of a source amount, fee included, in micro-USDT at the pair's rate. Limits apply to it. */
export function toUsdtValue(sourceAmount: bigint, pair: Pair): bigint {
  return pair.source === "USDT" ? sourceAmount : toTargetFloor(sourceAmount, pair);
}

/** The limit that a source amount is outside of, or null if it is within both. */
export function findLimitProblem(sourceAmount: bigint, pair: Pair, terms: PriceTerms): LimitProblem | null {
  const value = toUsdtValue(sourceAmount, pair);
  if (value < terms.minUsdt) return { kind: "too-small", limit: terms.minUsdt };
  if (value > terms.maxUsdt) return { kind: "too-large", limit: terms.maxUsdt };
  return null;
}

/** Why the exchange would refuse to quote this price, or null. */
export function findPriceProblem(price: Price, pair: Pair, terms: PriceTerms): PriceProblem | null {
  const problem = findLimitProblem(price.sourceAmount, pair, terms);
  if (problem) return problem;
  return price.targetAmount > 0n ? null : { kind: "nothing-left" };
}

/** The smallest and largest source amount within the limits. */
export function toSourceLimits(pair: Pair, { minUsdt, maxUsdt }: PriceTerms): { min: bigint; max: bigint } {
  if (pair.source === "USDT") return { min: minUsdt, max: maxUsdt };
  return { min: toSourceCeil(minUsdt, pair), max: toSourceCeil(maxUsdt + 1n, pair) - 1n };
}
