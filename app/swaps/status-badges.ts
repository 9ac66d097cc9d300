import type { Order } from "~/api/contract";
import type { OrderStatus } from "~/lib/order-states";
import type { Tone } from "~/ui/note";
import { isGrace, lacksChoice } from "./order-rules";
import { toNoRefundReason, toShownStatus } from "./order-sums";

export const statusBadges: Record<OrderStatus, { label: string; tone: Tone }> = {
  awaiting_deposit: { label: "Waiting for your payment", tone: "waiting" },
  confirming: { label: "Confirming", tone: "waiting" },
  needs_decision: { label: "Needs your decision", tone: "danger" },
  paying_out: { label: "Paying out", tone: "waiting" },
  completed: { label: "Done", tone: "good" },
  refunding: { label: "Refunding", tone: "waiting" },
  refunded: { label: "Refunded", tone: "info" },
  expired: { label: "Not paid in time", tone: "info" },
  cancelled: { label: "Cancelled", tone: "info" },
  on_hold: { label: "On hold", tone: "danger" },
};

const noRefundBadges = {
  too_little: "Too little to send back",
  nothing: "Nothing to send back",
  confirming: "Confirming",
} as const;

/** An order's badge. An order that ended without a refund is not called refunded. */
export function toStatusBadge(order: Order, nowMs: number): { label: string; tone: Tone } {
  if (isGrace(order, nowMs)) return graceBadge;
  if (lacksChoice(order, nowMs)) return stuckBadge;
  const reason = toNoRefundReason(order);
  return reason ? { label: noRefundBadges[reason], tone: "info" } : statusBadges[toShownStatus(order)];
}

/** While the owner has nothing to choose, because what has arrived is too little for either a swap or a refund. */
export const stuckBadge: { label: string; tone: Tone } = { label: noRefundBadges.too_little, tone: "info" };

/** While a payment that was sent may still count (see isGrace). */
export const graceBadge: { label: string; tone: Tone } = { label: "Time is up", tone: "waiting" };
