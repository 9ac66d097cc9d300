import type { CurrentRates, Order } from "~/api/contract";
import { parseAmount } from "~/lib/money";
import { findLimitProblem } from "~/lib/price";
import { toPair, toPriceTerms } from "~/lib/published-rates";
import { lacksChoice } from "~/swaps/order-rules";
import { toDecidedAmount } from "~/swaps/order-sums";

/**
 * Whether what has arrived is below the minimum at the current rate, so that the exchange does not make an offer for
 * it.
 */
export function isTooSmall(order: Order, rates: CurrentRates): boolean {
  const { source_asset_symbol: source, target_asset_symbol: target } = order;
  const pair = toPair({ source, target }, rates);
  if (!pair) return false;
  return findLimitProblem(parseAmount(toDecidedAmount(order), source), pair, toPriceTerms(rates))?.kind === "too-small";
}

/** What a refund of the order costs: as stated for its decision, or else the current cost. */
export function toRefundCost({ decision, source_asset_symbol: source }: Order, rates: CurrentRates): string {
  return decision?.refund_cost ?? rates.refund_cost[source];
}

/** Whether the customer has no choice, and would not have one with a new price either. A failed payout never has one. */
export function isStuckOrder(order: Order, rates: CurrentRates, nowMs: number): boolean {
  const mayHaveNewPrice = order.decision?.reason !== "payout_failed" && !isTooSmall(order, rates);
  return lacksChoice(order, nowMs, toRefundCost(order, rates)) && !mayHaveNewPrice;
}
