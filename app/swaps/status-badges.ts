import type { Order } from "~/api/contract";
import type { OrderStatus } from "~/lib/order-states";
import type { Tone } from "~/ui/note";
import type { OrderStanding } from "./order-rules";
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

/** An order's badge, on its page and in lists. An order that ended without a refund is not called refunded. */
export function toStatusBadge(order: Order, { isInGrace, isStuck }: OrderStanding): { label: string; tone: Tone } {
  if (isInGrace) return { label: "Time is up", tone: "waiting" };
  const reason = isStuck ? "too_little" : toNoRefundReason(order);
  return reason ? { label: noRefundBadges[reason], tone: "info" } : statusBadges[toShownStatus(order)];
}
