import { isFinal, type OrderStatus } from "../../lib/order-states";
import { clearAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import type { DepositRow } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { deleteOffer } from "../pricing/quotes";
import { advanceOrder } from "./advance-order";
import { getHeldAmount } from "./held-deposits";
import type { OrderEvent } from "./order-event";
import { isLate } from "./payment-deadline";
import { retakeReserve } from "./payouts-and-refunds/fill";
import { planRefund } from "./payouts-and-refunds/plan-refund";
import { endRefunding, refundOrder } from "./payouts-and-refunds/refund";
import { hasPendingDeposits } from "./queries";
import { type OrderChange, recordEvent, transition } from "./transition";

/**
 * `hadPayout`: the order had a payout that was withdrawn. `isExpected`: the deposit is now in another block, where it
 * is in time.
 */
type Reopening = { order: OrderRow; event: OrderEvent; hadPayout: boolean; isExpected: boolean };

/** The status of an order, or the one to which it returns after a hold. */
export const toActive = ({ status, heldFrom }: OrderRow): OrderStatus => (status === "on_hold" && heldFrom) || status;

/** Whether further deposits of an order are refunded without changing its state: it has ended or is being paid. */
export function refundsDeposits(order: OrderRow): boolean {
  const status = toActive(order);
  return isFinal(status) || status === "paying_out" || status === "refunding";
}

/** Evaluates the order again, without the deposit that `event` names. */
export async function evaluateWithoutDeposit(tx: Database, ctx: ExchangeContext, reopening: Reopening): Promise<void> {
  const { order, event, hadPayout, isExpected } = reopening;
  const status = toActive(order);
  if ((status === "paying_out" && hadPayout) || (status === "needs_decision" && mayReopen(order)))
    return confirmAgain(tx, ctx, { order, event, needsReserve: hadPayout || isExpected });
  const left = await recordEvent(tx, order.id, event);
  if (left.status === "needs_decision" && (await hasNothing(tx, left))) {
    await refundOrder(tx, ctx, left, { by: "clock", at: event.at });
  } else if (refundsDeposits(left)) {
    // The withdrawn refund also returned other deposits.
    const plan = await planRefund(tx, ctx, left, event.at);
    if (left.status === "refunding") await endRefunding(tx, ctx, left, { at: event.at, plan });
  } else if (status === "confirming") await advanceOrder(tx, ctx, left, event.at);
}

/** Evaluates the order again, with a deposit that was missing and is now partly held. */
export async function evaluateWithDeposit(
  tx: Database,
  ctx: ExchangeContext,
  { order, deposit, event }: { order: OrderRow; deposit: DepositRow; event: OrderEvent },
): Promise<void> {
  if (refundsDeposits(order)) {
    await planRefund(tx, ctx, await recordEvent(tx, order.id, event), event.at);
    return;
  }
  const status = toActive(order);
  const isTopUp = mayTopUp(order, !isLate(order, deposit));
  if (status === "awaiting_deposit" || (status !== "confirming" && isTopUp))
    return confirmAgain(tx, ctx, { order, event, needsReserve: true });
  await advanceOrder(tx, ctx, await recordEvent(tx, order.id, event), event.at);
}

/** Whether no part of an order's deposits is held, or may soon be held, so that there is nothing to decide. */
const hasNothing = async (tx: Database, order: OrderRow): Promise<boolean> =>
  (await getHeldAmount(tx, order)) === 0n && !(await hasPendingDeposits(tx, order.id));

/** Columns of an order that is not filled. */
const notFilled = {
  filledSource: null,
  filledTarget: null,
  filledFee: null,
  filledRate: null,
  decisionChoice: null,
  decidedBy: null,
};

/** Whether deposits can change anything for an order that waits for a decision. A failed payout would fail again. */
const mayReopen = ({ decisionReason }: OrderRow): boolean => decisionReason !== "payout_failed";

/** Whether a deposit can still complete an order that waits for a decision. */
export const mayTopUp = (order: OrderRow, isInTime: boolean): boolean => isInTime && mayReopen(order);

/**
 * An order that had enough deposits, or whose owner was asked, waits for its deposits again: at once or, if it is on
 * hold, when the hold ends.
 */
async function confirmAgain(
  tx: Database,
  ctx: ExchangeContext,
  { order, event, needsReserve }: { order: OrderRow; event: OrderEvent; needsReserve: boolean },
): Promise<void> {
  const { at } = event;
  const confirming = await returnToConfirming(tx, order, { ...event, set: notFilled });
  if (needsReserve) await retakeReserve(tx, ctx, confirming, at);
  await advanceOrder(tx, ctx, confirming, at);
}

/**
 * Moves an order to `confirming` or, if it is on hold, has it return there when the hold ends. If its owner was asked for
 * a decision, they no longer have to make it. If they are asked again later, they get the full time.
 */
export async function returnToConfirming(
  tx: Database,
  order: OrderRow,
  { set, ...event }: OrderChange,
): Promise<OrderRow> {
  await deleteOffer(tx, order.offerQuoteId);
  // Ends the alert about a refund that failed at the deadline. On an order on hold, the alert may be about the hold.
  if (order.status === "needs_decision") await clearAlert(tx, `order:${order.id}`);
  const columns = { ...set, decisionReason: null, decisionDeadline: null, offerQuoteId: null };
  return order.status === "on_hold"
    ? recordEvent(tx, order.id, { ...event, set: { ...columns, heldFrom: "confirming" } })
    : transition(tx, order, "confirming", { ...event, set: columns });
}
