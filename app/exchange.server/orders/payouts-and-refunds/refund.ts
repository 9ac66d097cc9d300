import { clearAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { isOpenPayment, type PaymentRow } from "../../db/schema/payments";
import { deleteOffer } from "../../pricing/quotes";
import { dropProgressMail } from "../owner-mails/notify-owner";
import { notifyRefunded } from "../owner-mails/outcome-mails";
import { notifyPaymentGone } from "../owner-mails/payment-mails";
import { hasPayment, hasPendingDeposits, listConfirmedRefunds } from "../queries";
import { notOnHold, transition } from "../transition";
import { getPlannedPayout, releaseReserve, withdrawPayout } from "./fill";
import { planRefund, type RefundPlan } from "./plan-refund";

/**
 * Plans one refund of everything that is held for the order and moves it to `refunding`. If the order is on hold (only
 * then, it has `heldFrom`) and its payout was planned but not prepared, that is undone first. `by` is "clock" when a
 * deadline has passed.
 * @throws conflict if the wallet may have made the payout already, which an operator has to account for;
 *   InsufficientBalanceError if its fill cannot be undone
 */
export async function refundOrder(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { by, at }: { by: "user" | "clock" | "operator"; at: Date },
): Promise<OrderRow> {
  if (order.heldFrom === "paying_out") {
    const payout = await getPlannedPayout(tx, order.id);
    if (payout) await withdrawPayout(tx, order, payout, { reason: "the order was refunded while on hold", at });
  }
  await deleteOffer(tx, order.offerQuoteId);
  await clearAlert(tx, `order:${order.id}`);
  await releaseReserve(tx, order, at);
  const refunding = await transition(tx, order, "refunding", {
    kind: "decided",
    data: { choice: "refund", by },
    at,
    set: {
      decisionChoice: "refund",
      decidedBy: by,
      decisionDeadline: null,
      offerQuoteId: null,
      ...notOnHold,
    },
  });
  // If less is held than a refund costs, there is no payment that would end the order.
  const plan = await planRefund(tx, ctx, refunding, at);
  await dropProgressMail(tx, ctx, order.id);
  return endRefunding(tx, ctx, refunding, { at, plan });
}

/**
 * Refunds a filled order because an operator decides against its payout: withdraws the payout and undoes the fill. The
 * order is `paying_out`, or `completed` if a reorg permanently removed its first payout.
 * @throws conflict if the wallet may have made the payout already; InsufficientBalanceError
 */
export async function refundFilled(
  tx: Database,
  ctx: ExchangeContext,
  { order, payout, at }: { order: OrderRow; payout: PaymentRow; at: Date },
): Promise<void> {
  await withdrawPayout(tx, order, payout, { reason: "refunded by an operator", at });
  const undone =
    order.status === "completed"
      ? order
      : await transition(tx, order, "needs_decision", {
          kind: "decision_needed",
          data: { reason: "payout_failed" },
          at,
          set: { decisionReason: "payout_failed", offerQuoteId: null },
        });
  await refundOrder(tx, ctx, undone, { by: "operator", at });
}

/**
 * Moves an order from `refunding` to `refunded`, unless one of its payments is still open, or a refund of what is held
 * has just been planned or postponed. If nothing was refunded, the order waits for its pending deposits: a deposit that
 * has moved to another block still has to be refunded. `plan` is the result of `planRefund`, if the caller has just
 * called it.
 */
export async function endRefunding(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { at, plan }: { at: Date; plan?: RefundPlan },
): Promise<OrderRow> {
  if (await hasPayment(tx, order.id, isOpenPayment)) return order;
  const left = plan ?? (await planRefund(tx, ctx, order, at));
  if (left === "planned" || left === "postponed") return order;
  const refunds = await listConfirmedRefunds(tx, order.id);
  if (refunds.length === 0) {
    if (await hasPendingDeposits(tx, order.id)) return order;
    const ended = await transition(tx, order, "refunded", { kind: "refunded", data: { nothing_sent: true }, at });
    // If something is held, its owner was told that it is set aside.
    if (left === "nothing") await notifyPaymentGone(tx, ctx, ended);
    return ended;
  }
  const refunded = await transition(tx, order, "refunded", { kind: "refunded", at });
  await notifyRefunded(tx, ctx, refunded, refunds);
  return refunded;
}
