import { and, eq } from "drizzle-orm";
import { formatAmount } from "../../lib/money";
import { clearAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { type PaymentRow, payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { returnFees } from "../ledger/fee-postings";
import { external, fees, payableTo, type Transfer } from "../ledger/ledger";
import { endHold } from "../orders/holds/hold";
import { finishOrder } from "../orders/payouts-and-refunds/finish";
import { recordEvent } from "../orders/transition";
import { getSwitchedOff } from "../switches/switches";
import { belongsToAnotherPayment, findSameSigned } from "./history/known-payments";
import { findUnknown, listExactMatches, type UnknownPayment } from "./history/unknown-payments";
import { lockPlanned, type Planned } from "./lock-planned";

/** A transaction must not be booked for two payments, even if both are booked at the same time. */
export function lockTransactionHash(tx: Database, hash: string): Promise<void> {
  return lockFor(tx, `paid:${hash}`);
}

/**
 * Books a parked payment that was made by hand, with its transaction's hash. While payments are off, it need not be
 * parked: our wallet may have made it before backups were restored.
 * `isForced`: even if our wallet has paid a different amount, or to a different address.
 * @throws not_found; conflict; invalid if the hash belongs, or may belong, to another payment
 */
export async function markPlannedPaid(
  tx: Database,
  ctx: ExchangeContext,
  { paymentId, hash, isForced = false }: { paymentId: string; hash: string; isForced?: boolean },
): Promise<void> {
  await lockTransactionHash(tx, hash);
  const { payment, order } = await lockPlanned(tx, paymentId);
  if (payment.parkedAt === null && !(await getSwitchedOff(tx)).payments) throw new ExchangeError("conflict");
  await requireOwnTransaction(tx, payment, hash);
  const made = await findUnknown(tx, { asset: payment.asset, hash });
  if (made && !isForced) requireSameTransfer(payment, made);
  const amount = made ? toPaidAmount(payment, made) : payment.amount;
  await bookUnrecordedPayment(tx, ctx, { payment, order, hash, amount, at: await ctx.clock.now(tx) });
}

/** Refuses a payment of our wallet that is known to be another transfer. @throws invalid */
function requireSameTransfer(payment: PaymentRow, made: UnknownPayment): void {
  if (made.address === payment.address && made.amount === payment.amount) return;
  const toText = ({ asset, amount, address }: Pick<PaymentRow, "asset" | "amount" | "address">) =>
    `${formatAmount(amount, asset)} ${asset} to ${address}`;
  const message = `${made.hash} has paid ${toText(made)}, but this payment is ${toText(payment)}. If you are sure that it was this payment, add --force.`;
  throw new ExchangeError("invalid", { message });
}

/**
 * The amount that our wallet has paid. For a refund, it may differ from the planned amount, because the cost may have
 * been different then. If it is not known, returns the planned amount. @throws invalid for any other difference
 */
function toPaidAmount(payment: PaymentRow, made: UnknownPayment): bigint {
  if (made.amount === 0n) return payment.amount;
  const mayDiffer = payment.purpose === "refund" && made.amount <= payment.grossAmount;
  if (made.amount === payment.amount || mayDiffer) return made.amount;
  const message = `${made.hash} has paid ${formatAmount(made.amount, made.asset)} ${made.asset}, which cannot be this payment: look for this payment's transaction.`;
  throw new ExchangeError("invalid", { message });
}

/**
 * Books a planned payment that our wallet has made without this database, and moves its order on. If it has paid
 * another amount, the rest is the refund's cost.
 * @throws conflict; InsufficientBalanceError if neither the fees nor the treasury cover that
 */
export async function bookUnrecordedPayment(
  tx: Database,
  ctx: ExchangeContext,
  { payment, order, hash, amount, at }: Planned & { hash: string; amount: bigint; at: Date },
): Promise<void> {
  const [paid] = await tx
    .update(payments)
    .set({ status: "confirmed", hash, amount, mayDuplicate: null, confirmedAt: at, settledAt: at, updatedAt: at })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "planned")))
    .returning();
  if (!paid) throw new ExchangeError("conflict");
  await returnFees(tx, {
    transfers: [
      ...toCostChange(payment, payment.amount - amount),
      { asset: payment.asset, from: payableTo(order.id), to: external, amount, kind: "paid" },
    ],
    orderId: order.id,
    at,
  });
  await clearAlert(tx, `payment:${payment.id}`);
  await recordEvent(tx, order.id, {
    kind: "payment_confirmed",
    data: { payment: payment.id, purpose: payment.purpose, hash, by: "operator" },
    at,
  });
  const isPayoutOnHold = order.status === "on_hold" && order.heldFrom === "paying_out" && payment.purpose === "payout";
  const open = isPayoutOnHold ? await endHold(tx, order, { to: "paying_out", at }) : order;
  await finishOrder(tx, ctx, { order: open, payment: paid, at });
}

/** Books that a refund cost more than planned, or less if `more` is negative. */
function toCostChange({ asset, orderId }: PaymentRow, more: bigint): Transfer[] {
  const payable = payableTo(orderId);
  return more < 0n
    ? [{ asset, from: fees, to: payable, amount: -more, kind: "refund_cost" }]
    : [{ asset, from: payable, to: fees, amount: more, kind: "refund_cost" }];
}

/** Refuses a transaction that is, or looks like, another payment's. @throws invalid */
export async function requireOwnTransaction(tx: Database, payment: PaymentRow, hash: string): Promise<void> {
  if (await belongsToAnotherPayment(tx, payment, hash)) {
    const message = `${hash} is already the transaction of another payment: look for this payment's transaction.`;
    throw new ExchangeError("invalid", { message });
  }
  const matches = await listExactMatches(tx, payment.asset, hash);
  if (matches.length > 0 && !matches.includes(payment.id)) {
    const message = `${hash} has the amount and the address of payment ${matches[0]}: book it for that one, which would otherwise be made again.`;
    throw new ExchangeError("invalid", { message });
  }
  const same = await findSameSigned(tx, payment);
  if (same === null) return;
  const message = `Payment ${same} of the same amount to the same address is under way, and ${hash} may be its transaction: wait until it is confirmed or has failed.`;
  throw new ExchangeError("invalid", { message });
}
