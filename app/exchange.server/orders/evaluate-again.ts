import { isFinal } from "../../lib/order-states";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { voidOffers } from "../pricing/quotes";
import { advanceOrder } from "./advance-order";
import { retakeReserve } from "./fill";
import type { OrderEvent } from "./order-event";
import { isLate } from "./payment-deadline";
import { refundHeld } from "./plan-payments";
import { type DepositRow, hasOpenPayments, listConfirmedRefunds } from "./queries";
import { endRefunding } from "./refund";
import { type OrderRow, recordEvent, transition } from "./transition";

/** `hadPayout`: the order had a payout that was withdrawn, so its reserve is taken again. */
type Reopening = { order: OrderRow; event: OrderEvent; hadPayout: boolean };

/** Evaluates the order again, without the deposit that `event` names. */
export async function evaluateWithoutDeposit(tx: Database, ctx: ExchangeContext, reopening: Reopening): Promise<void> {
  const { order, event, hadPayout } = reopening;
  switch (order.status) {
    case "on_hold":
      return reopenHeld(tx, ctx, reopening);
    case "refunding":
      return reopenRefunding(tx, ctx, reopening);
    case "paying_out":
      if (hadPayout) return confirmAgain(tx, ctx, reopening);
      await refundHeld(tx, ctx, await recordEvent(tx, order.id, event), event.at);
      return;
    case "needs_decision":
      return confirmAgain(tx, ctx, reopening);
    case "confirming":
      return advanceOrder(tx, ctx, await recordEvent(tx, order.id, event), event.at);
    case "completed":
    case "refunded":
    case "cancelled":
      await refundHeld(tx, ctx, await recordEvent(tx, order.id, event), event.at);
      return;
    case "awaiting_deposit":
    case "expired":
      await recordEvent(tx, order.id, event);
  }
}

/** Evaluates the order again, with a deposit that was missing and part of which we now hold. */
export async function evaluateWithDeposit(
  tx: Database,
  ctx: ExchangeContext,
  { order, deposit, event }: { order: OrderRow; deposit: DepositRow; event: OrderEvent },
): Promise<void> {
  const { at } = event;
  const status = order.heldFrom ?? order.status;
  if (isFinal(status) || status === "paying_out" || status === "refunding") {
    await refundHeld(tx, ctx, await recordEvent(tx, order.id, event), at);
    return;
  }
  const isTopUp = mayTopUp(order, !isLate(order, deposit));
  if (order.status === "on_hold") {
    const isReopened = status === "needs_decision" && isTopUp;
    const set = isReopened ? { ...noDecisionPending, heldFrom: "confirming" as const } : {};
    const held = await recordEvent(tx, order.id, { ...event, set });
    if (isReopened) await retakeReserve(tx, ctx, held, at);
    return;
  }
  if (status === "awaiting_deposit" || (status !== "confirming" && isTopUp)) {
    // If it had a payout, that was withdrawn when the deposit left.
    return confirmAgain(tx, ctx, { order, event, hadPayout: true });
  }
  await advanceOrder(tx, ctx, await recordEvent(tx, order.id, event), at);
}

/** Columns of an order that is not filled. */
const notFilled = {
  filledSource: null,
  filledTarget: null,
  filledFee: null,
  filledRate: null,
  decisionChoice: null,
  decidedBy: null,
};

/** Columns of an order that waits for no decision. */
export const noDecisionPending = { decisionReason: null, offerQuoteId: null };

/** Whether a deposit can still complete an order that waits for a decision. A payout that failed would fail again. */
export const mayTopUp = ({ decisionReason }: OrderRow, isInTime: boolean): boolean =>
  isInTime && decisionReason !== "payout_failed";

/** An order on hold stays on hold; what changes is the state to which it returns. */
async function reopenHeld(tx: Database, ctx: ExchangeContext, { order, event, hadPayout }: Reopening): Promise<void> {
  const isRefunding = order.heldFrom === "refunding" && (await isStillRefunded(tx, ctx, order, event.at));
  const heldFrom = isRefunding ? "refunding" : "confirming";
  await recordEvent(tx, order.id, { ...event, set: { ...(hadPayout && notFilled), ...noDecisionPending, heldFrom } });
}

/** An order that is being refunded stays so while something is left to refund. */
async function reopenRefunding(tx: Database, ctx: ExchangeContext, { order, event }: Reopening): Promise<void> {
  const left = await recordEvent(tx, order.id, event);
  const held = await refundHeld(tx, ctx, left, event.at);
  await endRefunding(tx, ctx, left, event.at, held);
}

/** An order that had enough deposits, or whose owner was asked, waits for its deposits again. */
async function confirmAgain(tx: Database, ctx: ExchangeContext, { order, event, hadPayout }: Reopening): Promise<void> {
  const { at } = event;
  await voidOffers(tx, order, at);
  const set = { ...(hadPayout && notFilled), ...noDecisionPending };
  const confirming = await transition(tx, order, "confirming", { ...event, set });
  if (hadPayout) await retakeReserve(tx, ctx, confirming, at);
  await advanceOrder(tx, ctx, confirming, at);
}

/**
 * Plans the refund of the other deposits again, because the withdrawn refund also returned them.
 * @returns whether a refund of the order is on its way, was made, or is only postponed
 */
async function isStillRefunded(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<boolean> {
  const held = await refundHeld(tx, ctx, order, at);
  if (held === "planned" || held === "postponed" || (await hasOpenPayments(tx, order.id))) return true;
  return (await listConfirmedRefunds(tx, order.id)).length > 0;
}
