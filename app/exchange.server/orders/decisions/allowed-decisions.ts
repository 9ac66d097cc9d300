import type { DecisionChoice } from "../../../lib/order-states";
import { type BidAsk, findLimitProblem, type PriceTerms, toQuotedRate } from "../../../lib/price";
import type { OrderRow } from "../../db/schema/orders";
import { coversFee, toOrderPair } from "../order-price";
import { paymentDeadline } from "../payment-deadline";

/**
 * The choices an order's owner has now. Pure.
 *
 * - `accept` (at the locked rate): for an underpaid order before its payment deadline, if the fee leaves something to
 *   pay out
 * - `requote`: for a late deposit, or after the deadline, if a rate is known, the received amount is within the limits
 *   at that rate, and the payout has not failed
 * - `refund`: always
 */
export function allowedDecisions(
  order: OrderRow,
  { received, prices, terms, now }: { received: bigint; prices: BidAsk | null; terms: PriceTerms; now: Date },
): DecisionChoice[] {
  if (order.status !== "needs_decision") return [];
  const beforeDeadline = now <= paymentDeadline(order);
  if (order.decisionReason === "underpaid" && beforeDeadline)
    return coversFee(order, received, terms) ? ["accept", "refund"] : ["refund"];
  if (order.decisionReason === "payout_failed") return ["refund"];
  if (order.decisionReason === "below_minimum" && beforeDeadline) return ["refund"];
  if (prices === null) return ["refund"];
  const pair = toOrderPair(order, toQuotedRate(order.sourceAsset, prices));
  return findLimitProblem(received, pair, terms) ? ["refund"] : ["requote", "refund"];
}
