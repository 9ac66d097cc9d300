import { formatAmount } from "../../../lib/money";
import { raiseAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { noTime } from "../../db/not-before";
import { isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { insertEvent, lockOrderRow } from "../../orders/transition";

/**
 * How often the network may refuse a payment before it is parked, or accept it without effect before an operator is
 * alerted.
 */
export const parkAfterRefusals = 3;

/** Undoes parking and cancelling, because the payment is in a block. If it leaves the chain, it is first sent again. */
export const notParked = {
  parkedAt: null,
  mayDuplicate: null,
  cancellation: null,
  cancellationSentAt: null,
  refusals: 0,
  ...noTime,
};

/** Why a payment is parked, what the operator should do about it, and further columns. */
type Parking = { reason: string; action: string } & Partial<
  Pick<PaymentRow, "cancellation" | "refusals" | "notBefore" | "mayDuplicate">
>;

/**
 * Parks a payment, so that it no longer delays others, and alerts an operator. Does nothing if it has
 * changed since `payment` was read.
 */
export async function parkPayment(
  ctx: ExchangeContext,
  payment: PaymentRow,
  { reason, action, mayDuplicate = null, ...set }: Parking,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockOrderRow(tx, payment.orderId);
    const at = await ctx.clock.now(tx);
    const parked = await tx
      .update(payments)
      .set({ ...set, parkedAt: payment.parkedAt ?? at, mayDuplicate, lastError: reason, updatedAt: at })
      .where(isUnchanged(payment))
      .returning({ id: payments.id });
    if (parked.length === 0) return;
    await insertEvent(tx, payment.orderId, { kind: "payment_parked", data: { payment: payment.id, reason }, at });
    await alertPayment(tx, ctx, payment, { reason, action, at });
  });
}

type Parked = Pick<PaymentRow, "id" | "orderId" | "asset" | "purpose">;

/** What an operator should do about a parked payment, unless there is something more specific. */
export function toParkedAction(payment: Parked): string {
  const { id } = payment;
  return `Once the cause is gone, run "operate retry ${id}". To pay it to another address that its owner has saved, run "operate readdress ${id} ADDRESS". ${toLastResort(payment)}`;
}

/** What an operator can do about a parked payment that will not be made at all. */
export function toLastResort({ id, orderId, asset, purpose }: Parked): string {
  return purpose === "payout"
    ? `To refund the order instead, at the price of its lock, run "operate refund ${orderId}".`
    : `If you pay it from another wallet, run "operate mark-paid ${id} HASH" and book the amount with "operate float ${asset} AMOUNT".`;
}

/** Alerts an operator to a payment. The alert lasts until the payment is final, or an operator decides. */
export async function alertPayment(
  tx: Database,
  ctx: ExchangeContext,
  payment: Pick<PaymentRow, "id" | "orderId" | "asset" | "amount" | "purpose">,
  { reason, action, at, problem = "cannot be made" }: { reason: string; action: string; at: Date; problem?: string },
): Promise<void> {
  const what = `The ${payment.purpose} of ${formatAmount(payment.amount, payment.asset)} ${payment.asset}`;
  await raiseAlert(tx, ctx, {
    subject: `payment:${payment.id}`,
    orderId: payment.orderId,
    reason: `${what} ${problem}: ${reason}`,
    action,
    at,
  });
}
