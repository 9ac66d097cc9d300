import type { CurrentRates, Order } from "~/api/contract";
import { canTopUp } from "~/components/order/order-rules";
import { toDecidedAmount, toRefund } from "~/components/order/order-sums";
import { stuckBadge } from "~/components/order/status-badges";
import { parseAmount } from "~/lib/money";
import { findLimitProblem } from "~/lib/price";
import { toPair, toPriceTerms } from "~/lib/published-rates";

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

/** Whether the customer has no choice: what has arrived is too little for either a swap or a refund. */
export function lacksChoice(order: Order, rates: CurrentRates, nowMs: number): boolean {
  const { decision, source_asset_symbol: source } = order;
  if (!decision || decision.offer || decision.choices.includes("accept") || canTopUp(order, nowMs)) return false;
  return toRefund(order, rates.refund_cost[source]) === "0" && isTooSmall(order, rates);
}

/** The document title of such an order. */
export const stuckTitle = `${stuckBadge.label} · Antelope`;
