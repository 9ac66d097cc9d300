import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import type { DepositRow } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { closeQuote } from "../pricing/quotes";
import { mayTopUp, noDecisionPending } from "./evaluate-again";
import { notifyPaymentSeen } from "./owner-mails/payment-mails";
import { isLate } from "./payment-deadline";
import { retakeReserve } from "./payouts-and-refunds/fill";
import { recordEvent, transition } from "./transition";

/**
 * Handles deposits that are new, back after a reorg, or in time in their new block: marks the quote as used and the
 * order as confirming.
 */
export async function startConfirming(
  tx: Database,
  ctx: ExchangeContext,
  { order, added, at }: { order: OrderRow; added: DepositRow[]; at: Date },
): Promise<OrderRow> {
  const amount = added.reduce((sum, deposit) => sum + deposit.amount, 0n);
  const event = {
    kind: "deposit_seen" as const,
    data: {
      deposits: added.map(({ id }) => id),
      amount: amount.toString(),
      hashes: [...new Set(added.map(({ displayHash }) => displayHash))],
    },
    at,
  };
  const isInTime = added.some((deposit) => !isLate(order, deposit));
  await closeQuote(tx, order.quoteId, "used", at);
  if (order.status === "awaiting_deposit") {
    const started = await transition(tx, order, "confirming", event);
    await notifyPaymentSeen(tx, ctx, started, { amount, isInTime, at });
    return started;
  }
  if (order.status === "expired" && isInTime) {
    // The deposit was discovered after the order expired, but was paid in time: the order gets back its locked rate and
    // its reserve.
    const reopened = await transition(tx, order, "confirming", event);
    await retakeReserve(tx, ctx, reopened, at);
    await notifyPaymentSeen(tx, ctx, reopened, { amount, isInTime, at });
    return reopened;
  }
  const isTopUp = mayTopUp(order, isInTime);
  if (order.status === "needs_decision" && isTopUp) {
    const reopened = await transition(tx, order, "confirming", { ...event, set: noDecisionPending });
    await retakeReserve(tx, ctx, reopened, at);
    return reopened;
  }
  // The order was put on hold while it needed a decision: after its release, it is evaluated again with these deposits.
  if (order.status === "on_hold" && order.heldFrom === "needs_decision" && isTopUp) {
    const set = { ...noDecisionPending, heldFrom: "confirming" as const };
    const reopened = await recordEvent(tx, order.id, { ...event, set });
    await retakeReserve(tx, ctx, reopened, at);
    return reopened;
  }
  const recorded = await recordEvent(tx, order.id, event);
  // The owner is asked for a decision only after it is confirmed, and would not know until then that it has arrived.
  if (order.status === "expired") await notifyPaymentSeen(tx, ctx, recorded, { amount, isInTime, at });
  return recorded;
}
