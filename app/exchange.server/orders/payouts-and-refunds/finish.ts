import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import type { PaymentRow } from "../../db/schema/payments";
import { notifyCompleted, notifyRefunded, notifyReturned } from "../owner-mails/outcome-mails";
import { listConfirmedRefunds } from "../queries";
import { transition } from "../transition";
import { endRefunding } from "./refund";

/** Ends the order with its last payment: `completed` after the payout, `refunded` after the last refund. */
export async function finishOrder(
  tx: Database,
  ctx: ExchangeContext,
  { order, payment, at }: { order: OrderRow; payment: PaymentRow; at: Date },
): Promise<void> {
  if (payment.purpose === "payout" && order.status === "paying_out") {
    const completed = await transition(tx, order, "completed", { kind: "completed", at });
    await notifyCompleted(tx, ctx, completed, payment);
    return;
  }
  if (order.status === "refunding") {
    await endRefunding(tx, ctx, order, { at });
    return;
  }
  // An operator has booked the refund of an order that is on hold. Its owner is told when the hold ends.
  if (order.heldFrom === "refunding") return;
  if (payment.purpose === "refund") await notifyLateRefund(tx, ctx, order, payment);
}

/** Tells the owner about a refund of a swap that has already been paid out, or has ended. */
async function notifyLateRefund(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  refund: PaymentRow,
): Promise<void> {
  // An amount that was too small to refund when the order ended has become worth the cost.
  const refunds = order.status === "refunded" ? await listConfirmedRefunds(tx, order.id) : [];
  if (refunds.length === 1) await notifyRefunded(tx, ctx, order, refunds);
  else await notifyReturned(tx, ctx, order, refund);
}
