/**
 * The life of a swap order as data (../exchange.server/orders/README in words:
 * design/order-lifecycle.md). The exchange applies this table, the screens ask it
 * what may be done now, and the tests walk every legal and illegal pair.
 */
export const orderStatuses = [
  "awaiting_deposit",
  "confirming",
  "needs_decision",
  "paying_out",
  "completed",
  "refunding",
  "refunded",
  "expired",
  "cancelled",
  "on_hold",
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const orderTransitions = {
  awaiting_deposit: ["confirming", "expired", "cancelled"],
  confirming: ["awaiting_deposit", "needs_decision", "paying_out", "on_hold"],
  needs_decision: ["confirming", "paying_out", "refunding", "on_hold"],
  paying_out: ["completed", "needs_decision", "on_hold"],
  refunding: ["refunded", "on_hold"],
  expired: ["needs_decision"],
  on_hold: ["confirming", "needs_decision", "paying_out", "refunding"],
  completed: [],
  refunded: [],
  cancelled: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>;

/** Whether the transition table of order-lifecycle allows it. */
export function canTransition(from: OrderStatus, to: OrderStatus): boolean {
  return (orderTransitions[from] as readonly OrderStatus[]).includes(to);
}

/** Nothing changes the state any more; money that still comes is refunded by itself. */
export function isFinal(status: OrderStatus): boolean {
  return orderTransitions[status].length === 0;
}

/**
 * Why an order asks its owner; the contract's words. The embedded exchange never says
 * `above_maximum`: what is too much goes back by itself. Another behind API_URL may.
 */
export const decisionReasons = ["late", "below_minimum", "underpaid", "above_maximum", "payout_failed"] as const;
export type DecisionReason = (typeof decisionReasons)[number];

export const decisionChoices = ["accept", "requote", "refund"] as const;
export type DecisionChoice = (typeof decisionChoices)[number];
