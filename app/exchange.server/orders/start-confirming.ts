import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import type { DepositRow } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { closeQuote } from "../pricing/quotes";
import { mayTopUp, returnToConfirming, toActive } from "./evaluate-again";
import { notifyPaymentSeen } from "./owner-mails/payment-mails";
import { isLate } from "./payment-deadline";
import { retakeReserve } from "./payouts-and-refunds/fill";
import { recordEvent } from "./transition";

/**
 * Handles deposits that are new, back after a reorg, or in time in their new block: marks the quote as used, and the
 * order as confirming if they may complete it.
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
  const status = toActive(order);
  // Even an order that has expired, because a deposit that was made in time may be discovered later.
  const isReopened = (status === "expired" || status === "needs_decision") && mayTopUp(order, isInTime);
  const updated =
    isReopened || status === "awaiting_deposit"
      ? await returnToConfirming(tx, order, event)
      : await recordEvent(tx, order.id, event);
  if (isReopened) await retakeReserve(tx, ctx, updated, at);
  // If an expired order is not reopened, its owner is asked for a decision only after the deposit is confirmed, and would
  // not know until then that it has arrived.
  if (status === "awaiting_deposit" || status === "expired")
    await notifyPaymentSeen(tx, ctx, updated, { amount, isInTime, at });
  return updated;
}
