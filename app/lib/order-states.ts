/**
 * The states of a swap order and the transitions between them; docs/order-lifecycle.md explains
 * them. The exchange and the screens both read this table.
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

/** Whether this build supports the status. The page may be older than the server that sent it. */
export function isOrderStatus(status: string): status is OrderStatus {
  return (orderStatuses as readonly string[]).includes(status);
}

export const orderTransitions = {
  awaiting_deposit: ["confirming", "expired", "cancelled"],
  confirming: ["awaiting_deposit", "needs_decision", "paying_out", "on_hold"],
  needs_decision: ["confirming", "paying_out", "refunding", "on_hold"],
  paying_out: ["completed", "confirming", "needs_decision", "on_hold"],
  refunding: ["refunded", "on_hold"],
  expired: ["confirming", "needs_decision"],
  on_hold: ["confirming", "needs_decision", "paying_out", "refunding"],
  completed: ["refunding"],
  refunded: [],
  cancelled: [],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>;

const finalStatuses: readonly OrderStatus[] = ["completed", "refunded", "cancelled"];

/** Whether an order in state `from` may go to state `to`. */
export function canTransition(from: OrderStatus, to: OrderStatus): boolean {
  return (orderTransitions[from] as readonly OrderStatus[]).includes(to);
}

/**
 * Whether a state is final. Money that arrives later is refunded automatically without changing the state. A completed
 * order is refunded only by an operator, if a reorg has permanently removed its payout.
 */
export function isFinal(status: OrderStatus): boolean {
  return finalStatuses.includes(status);
}

/**
 * Whether an order in this state is in progress: neither final nor expired. A late payment may reopen an expired one.
 */
export function isOpen(status: OrderStatus): boolean {
  return !isFinal(status) && status !== "expired";
}

export const openStatuses = orderStatuses.filter(isOpen);

/**
 * Why an order needs a decision, as in the API contract. The embedded exchange never uses
 * `above_maximum`, because it refunds a surplus automatically; a remote exchange may.
 */
export const decisionReasons = ["late", "below_minimum", "underpaid", "above_maximum", "payout_failed"] as const;
export type DecisionReason = (typeof decisionReasons)[number];

export const decisionChoices = ["accept", "requote", "refund"] as const;
export type DecisionChoice = (typeof decisionChoices)[number];

/**
 * Whether an order is filled, and the fill was not undone. Its values (`filledSource` and so on) are kept if the fill
 * is undone. `heldFrom` is its status before it was put on hold.
 */
export function isFilled({ status, heldFrom }: { status: OrderStatus; heldFrom: OrderStatus | null }): boolean {
  return status === "paying_out" || status === "completed" || heldFrom === "paying_out";
}
