import type { Pair } from "../../lib/money";
import { type Price, type PriceTerms, toPrice } from "../../lib/price";
import type { OrderRow } from "../db/schema/orders";
import { requirePrice } from "../pricing/require-price";

/** The part of an order, or of the quote it is made from, that its price depends on. */
type PricedOrder = Pick<OrderRow, "sourceAsset" | "targetAsset" | "sourceAmount" | "rate" | "payoutCost" | "feeBps">;

/** The order's direction at its locked rate, or at another `rate` (target per 1 source, 12 decimals). */
export function toOrderPair(order: PricedOrder, rate: bigint = order.rate): Pair {
  return { source: order.sourceAsset, target: order.targetAsset, rate };
}

/** Our terms with the percentage and the payout cost that were quoted: the settings may have changed since. */
export function toQuotedTerms(order: PricedOrder, terms: PriceTerms): PriceTerms {
  const payoutCost = {
    ...terms.payoutCost,
    ...(order.payoutCost !== null && { [order.targetAsset]: order.payoutCost }),
  };
  return { ...terms, payoutCost, feeBps: order.feeBps ?? terms.feeBps };
}

/**
 * Prices a source amount at the order's locked rate. The fee is calculated again, on the quoted terms.
 * @throws amount_too_small
 */
export function priceAtLockedRate(order: PricedOrder, sourceAmount: bigint, terms: PriceTerms): Price {
  return requirePrice({ side: "source", amount: sourceAmount }, toOrderPair(order), toQuotedTerms(order, terms));
}

/** Whether the fee leaves anything to pay out of a source amount, at the order's locked rate and on the quoted terms. */
export function coversFee(order: PricedOrder, sourceAmount: bigint, terms: PriceTerms): boolean {
  const { targetAmount } = toPrice(
    { side: "source", amount: sourceAmount },
    toOrderPair(order),
    toQuotedTerms(order, terms),
  );
  return targetAmount > 0n;
}

/** The largest source amount that is filled without a decision: the quoted amount plus the tolerance. */
export function maxFillable(order: Pick<OrderRow, "sourceAmount">, toleranceBps: number): bigint {
  return order.sourceAmount + (order.sourceAmount * BigInt(toleranceBps)) / 10_000n;
}

/** The target amount to reserve at lock: the payout of the largest amount that is filled without a decision. */
export function toReserveAmount(order: PricedOrder, terms: PriceTerms & { overpaidToleranceBps: number }): bigint {
  return priceAtLockedRate(order, maxFillable(order, terms.overpaidToleranceBps), terms).targetAmount;
}
