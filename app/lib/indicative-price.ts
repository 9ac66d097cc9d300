/**
 * What a swap would give at the published rate, worked out in the browser while an amount is
 * typed. The same sums as the exchange's own price (a test holds them together); only a
 * quote binds anybody.
 */
import type { Rates } from "~/api/contract";
import type { AssetSymbol } from "./assets";
import { bpsCeil, mulDivCeil, parseAmount, parseDecimal, RATE_DECIMALS, toSourceCeil, toTargetFloor } from "./money";

/** What of GET /api/rates a price needs. */
export type PublishedRates = Omit<Rates, "history">;

export type Side = "source" | "target";
export type Direction = { source: AssetSymbol; target: AssetSymbol };

/** Base units. */
export type IndicativePrice = { sourceUnits: bigint; targetUnits: bigint; feeUnits: bigint };

export type PriceTrouble = { kind: "too-small" | "too-large"; limitUsdt: string } | { kind: "nothing-left" };

type Pair = Direction & { rate: bigint };

/** Target per 1 source with 12 decimals, or null while no trustworthy rate is known. */
export function rateOf({ source }: Direction, rates: PublishedRates): bigint | null {
  if (rates.rates === null) return null;
  return parseDecimal(source === "USDT" ? rates.rates.USDT_MOB : rates.rates.MOB_USDT, RATE_DECIMALS);
}

/** fee = max(ceil(source × share), the payout's cost in the source asset, rounded up). */
function feeOf(sourceUnits: bigint, pair: Pair, rates: PublishedRates): bigint {
  const share = bpsCeil(sourceUnits, rates.fee_bps);
  const cost = payoutCostInSource(pair, rates);
  return larger(share, cost);
}

function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

function payoutCostInSource(pair: Pair, rates: PublishedRates): bigint {
  return toSourceCeil(parseAmount(rates.payout_cost[pair.target], pair.target), pair);
}

/** The price of what is sent, or the least source that yields what is wanted; null without a rate. */
export function priceAt(
  { side, units }: { side: Side; units: bigint },
  direction: Direction,
  rates: PublishedRates,
): IndicativePrice | null {
  const rate = rateOf(direction, rates);
  if (rate === null) return null;
  const pair = { ...direction, rate };
  if (side === "source") return priceOfSource(units, pair, rates);
  const net = toSourceCeil(units, pair);
  const withShare = mulDivCeil(net, 10_000n, 10_000n - BigInt(rates.fee_bps));
  const withCost = net + payoutCostInSource(pair, rates);
  return priceOfSource(larger(withShare, withCost), pair, rates);
}

function priceOfSource(sourceUnits: bigint, pair: Pair, rates: PublishedRates): IndicativePrice {
  const feeUnits = feeOf(sourceUnits, pair, rates);
  const targetUnits = sourceUnits > feeUnits ? toTargetFloor(sourceUnits - feeUnits, pair) : 0n;
  return { sourceUnits, feeUnits, targetUnits };
}

/** What the exchange would refuse about this price, or null. Limits look at the gross source in USDT. */
export function findPriceTrouble(
  price: IndicativePrice,
  direction: Direction,
  rates: PublishedRates,
): PriceTrouble | null {
  const rate = rateOf(direction, rates);
  if (rate === null) return null;
  const value =
    direction.source === "USDT" ? price.sourceUnits : toTargetFloor(price.sourceUnits, { ...direction, rate });
  if (value < parseAmount(rates.limits.min_usdt, "USDT")) {
    return { kind: "too-small", limitUsdt: rates.limits.min_usdt };
  }
  if (value > parseAmount(rates.limits.max_usdt, "USDT")) {
    return { kind: "too-large", limitUsdt: rates.limits.max_usdt };
  }
  return price.targetUnits > 0n ? null : { kind: "nothing-left" };
}

/** The least and the most that may be sent, in base units of the source; the least rounded up, the most down. */
export function limitsInSource(direction: Direction, rates: PublishedRates): { least: bigint; most: bigint } | null {
  const rate = rateOf(direction, rates);
  if (rate === null) return null;
  const [min, max] = [parseAmount(rates.limits.min_usdt, "USDT"), parseAmount(rates.limits.max_usdt, "USDT")];
  if (direction.source === "USDT") return { least: min, most: max };
  const pair = { ...direction, rate };
  return { least: toSourceCeil(min, pair), most: toSourceCeil(max, pair) };
}
