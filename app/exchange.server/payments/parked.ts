import { and, eq, isNull, or } from "drizzle-orm";
import { assets } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import { clearAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { deliveryAddresses } from "../db/schema/addresses";
import { payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { external, fees, payableTo, type Transfer } from "../ledger/ledger";
import { returnFees } from "../ledger/return-fees";
import { getPlannedPayout, withdrawPayout } from "../orders/fill";
import { endHold } from "../orders/hold";
import { mayHaveBeenMade } from "../orders/may-have-been-made";
import { notifyReaddressed } from "../orders/notify-owner";
import type { PaymentRow } from "../orders/queries";
import { getReaddressWait, getWaitIfReaddressed, toLatest } from "../orders/readdress-wait";
import { refundOrder } from "../orders/refund";
import { lockOrderRow, type OrderRow, recordEvent, touchOrder, transition } from "../orders/transition";
import { getSwitchedOff } from "../switches/switches";
import { finishOrder } from "./outcomes";
import {
  findSameOpenPayment,
  findUnknown,
  isOfAnotherPayment,
  listExactMatches,
  type UnknownPayment,
} from "./unknown-payments";

/*
 * What an operator decides about a parked payment. Each function requires that nothing was signed
 * for it, or that the chain can certainly no longer accept what was signed: then the payment is
 * `planned`. A parked payment with bytes becomes `planned` again when the chain has decided.
 */

/**
 * Prepares a parked payment again.
 * @throws not_found, conflict if it is not parked or its bytes may still be accepted
 */
export async function retryParked(tx: Database, ctx: ExchangeContext, paymentId: string): Promise<void> {
  const parked = await lockParked(tx, paymentId);
  await unpark(tx, ctx, parked, await ctx.clock.now(tx));
}

/** Prepares a payment again whose doubt has gone. Does nothing if it is no longer parked because of the same doubt. */
export async function releaseDoubted(ctx: ExchangeContext, { id, orderId, doubtedBy }: PaymentRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, orderId);
    const [payment] = await tx.select().from(payments).where(eq(payments.id, id));
    if (payment?.status !== "planned" || payment.parkedAt === null || payment.doubtedBy !== doubtedBy) return;
    await unpark(tx, ctx, { payment, order }, await ctx.clock.now(tx));
  });
}

/**
 * Pays a parked payment to another address. Its owner confirms the address by saving it in their account: any other is
 * refused. It waits until the address has been saved for as long as new payouts wait after a recovery of the account,
 * and after a recovery as long as these (T31): whoever saved the address may not be the owner, who is told by e-mail.
 * @throws not_found; conflict, also if the wallet may have paid it already; address_invalid if the
 *   owner has not saved it for this asset
 */
export async function readdressParked(
  tx: Database,
  ctx: ExchangeContext,
  { paymentId, address }: { paymentId: string; address: string },
): Promise<void> {
  const { payment, order } = await lockParked(tx, paymentId);
  // A payment that the wallet may have made is recognised by its address.
  if (await mayHaveBeenMade(tx, paymentId)) throw new ExchangeError("conflict");
  const [saved] = await tx
    .select({ address: deliveryAddresses.address })
    .from(deliveryAddresses)
    .where(
      and(
        eq(deliveryAddresses.accountId, order.accountId),
        eq(deliveryAddresses.type, assets[payment.asset].addressType),
        isNull(deliveryAddresses.removedAt),
        or(eq(deliveryAddresses.address, address), eq(deliveryAddresses.canonical, address.toLowerCase())),
      ),
    );
  if (!saved) throw new ExchangeError("address_invalid");
  const at = await ctx.clock.now(tx);
  const until = await getReaddressWait(tx, ctx, { order, address: saved.address, at });
  const changed = await recordEvent(tx, order.id, {
    kind: "payment_readdressed",
    data: { payment: payment.id, from: payment.address, to: saved.address },
    at,
    set:
      payment.purpose === "payout"
        ? { deliveryAddress: saved.address, payoutNotBefore: toLatest(order.payoutNotBefore, until) }
        : { refundAddress: saved.address },
  });
  await unpark(tx, ctx, { payment: { ...payment, address: saved.address }, order: changed }, at);
  await notifyReaddressed(tx, ctx, changed, { payment, address: saved.address, until });
}

/**
 * Books a parked payment that was made by hand, with its transaction's hash. While payments are off, it need not be
 * parked: our wallet may have made it before backups were restored.
 * `isForced`: also if our wallet has paid another amount, or to another address.
 * @throws not_found; conflict; invalid if the hash is that of another payment, or may be
 */
export async function markPlannedPaid(
  tx: Database,
  ctx: ExchangeContext,
  { paymentId, hash, isForced = false }: { paymentId: string; hash: string; isForced?: boolean },
): Promise<void> {
  // Two payments must not be booked with one transaction, even at the same time.
  await lockFor(tx, `paid:${hash}`);
  const { payment, order } = await lockPlanned(tx, paymentId);
  if (payment.parkedAt === null && !(await getSwitchedOff(tx)).payments) throw new ExchangeError("conflict");
  await requireOwnTransaction(tx, payment, hash);
  const made = await findUnknown(tx, { asset: payment.asset, hash });
  if (made && !isForced) requireSameTransfer(payment, made);
  const amount = made ? toPaidAmount(payment, made) : payment.amount;
  await bookMade(tx, ctx, { payment, order, hash, amount, at: await ctx.clock.now(tx) });
}

/** Refuses a payment of our wallet that is known to be another transfer. @throws invalid */
function requireSameTransfer(payment: PaymentRow, made: UnknownPayment): void {
  if (made.address === payment.address && made.amount === payment.amount) return;
  const toText = ({ asset, amount, address }: Pick<PaymentRow, "asset" | "amount" | "address">) =>
    `${formatAmount(amount, asset)} ${asset} to ${address}`;
  const message = `${made.hash} has paid ${toText(made)}, and this payment is ${toText(payment)}. If you know that it has made this payment, add --force.`;
  throw new ExchangeError("invalid", { message });
}

/**
 * What was paid, with a payment that our wallet has made before: the cost of a refund may have been another one then.
 * An amount that is not known is taken to be the planned one. @throws invalid for any other difference
 */
function toPaidAmount(payment: PaymentRow, made: UnknownPayment): bigint {
  if (made.amount === 0n) return payment.amount;
  const mayDiffer = payment.purpose === "refund" && made.amount <= payment.grossAmount;
  if (made.amount === payment.amount || mayDiffer) return made.amount;
  const message = `${made.hash} has paid ${formatAmount(made.amount, made.asset)} ${made.asset}, which this payment cannot be: look for the transaction of this one.`;
  throw new ExchangeError("invalid", { message });
}

/**
 * Books a planned payment that our wallet has made without this database, and moves its order on. If it has paid
 * another amount, the rest is the refund's cost.
 * @throws conflict; InsufficientBalanceError if neither the fees nor the treasury cover that
 */
export async function bookMade(
  tx: Database,
  ctx: ExchangeContext,
  { payment, order, hash, amount, at }: Parked & { hash: string; amount: bigint; at: Date },
): Promise<void> {
  const [paid] = await tx
    .update(payments)
    .set({ status: "confirmed", hash, amount, doubtedBy: null, confirmedAt: at, settledAt: at, updatedAt: at })
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
  const isHeldPayout = order.status === "on_hold" && order.heldFrom === "paying_out" && payment.purpose === "payout";
  const open = isHeldPayout ? await endHold(tx, order, { to: "paying_out", at }) : order;
  await finishOrder(tx, ctx, { order: open, payment: paid, at });
}

/** Books that a refund has cost more than planned, or less if `more` is negative. */
function toCostChange({ asset, orderId }: PaymentRow, more: bigint): Transfer[] {
  const payable = payableTo(orderId);
  return more < 0n
    ? [{ asset, from: fees, to: payable, amount: -more, kind: "refund_cost" }]
    : [{ asset, from: payable, to: fees, amount: more, kind: "refund_cost" }];
}

/** Refuses a transaction that is, or looks like, another payment's. @throws invalid */
export async function requireOwnTransaction(tx: Database, payment: PaymentRow, hash: string): Promise<void> {
  if (await isOfAnotherPayment(tx, payment, hash)) {
    const message = `${hash} has made another payment already: look for the transaction of this one.`;
    throw new ExchangeError("invalid", { message });
  }
  const matches = await listExactMatches(tx, payment.asset, hash);
  if (matches.length > 0 && !matches.includes(payment.id)) {
    const message = `${hash} has the amount and the address of payment ${matches[0]}: book it for that one, which would otherwise be made again.`;
    throw new ExchangeError("invalid", { message });
  }
  const same = await findSameOpenPayment(tx, payment);
  if (same === null) return;
  const message = `Payment ${same} of the same amount to the same address is under way, and ${hash} may be its transaction: wait until it is confirmed or has failed.`;
  throw new ExchangeError("invalid", { message });
}

/**
 * Undoes the fill of an order whose payout is parked, and refunds the order. A completed order has such a payout if a
 * reorganisation removed the first one for good.
 * @throws conflict, also if the wallet may have made the payout already; InsufficientBalanceError
 */
export async function refundParkedPayout(tx: Database, ctx: ExchangeContext, order: OrderRow): Promise<void> {
  const payout = await getPlannedPayout(tx, order.id);
  const at = await ctx.clock.now(tx);
  const isFilled = order.status === "paying_out" || order.status === "completed";
  if (!isFilled || payout === null || payout.parkedAt === null) throw new ExchangeError("conflict");
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

type Parked = { payment: PaymentRow; order: OrderRow };

/** Locks the order of a parked payment for which nothing is signed. @throws not_found, conflict */
async function lockParked(tx: Database, paymentId: string): Promise<Parked> {
  const planned = await lockPlanned(tx, paymentId);
  if (planned.payment.parkedAt === null) throw new ExchangeError("conflict");
  return planned;
}

/** Locks the order of a payment for which nothing is signed. @throws not_found, conflict */
async function lockPlanned(tx: Database, paymentId: string): Promise<Parked> {
  const [known] = await tx.select({ orderId: payments.orderId }).from(payments).where(eq(payments.id, paymentId));
  if (!known) throw new ExchangeError("not_found");
  const order = await lockOrderRow(tx, known.orderId);
  const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId));
  if (payment?.status !== "planned") throw new ExchangeError("conflict");
  return { payment, order };
}

/**
 * Lets a parked payment be prepared again. A payout still waits until its order may be paid out, and a payment to an
 * address that an operator has given to its order until that address may be paid to (T31).
 */
async function unpark(tx: Database, ctx: ExchangeContext, { payment, order }: Parked, at: Date): Promise<void> {
  const { address } = payment;
  const ofAddress = await getWaitIfReaddressed(tx, ctx, { order, address, at });
  const notBefore = toLatest(payment.purpose === "payout" ? order.payoutNotBefore : null, ofAddress);
  await tx
    .update(payments)
    .set({
      address,
      parkedAt: null,
      refusals: 0,
      attempts: 0,
      failures: 0,
      notBefore,
      doubtedBy: null,
      lastError: null,
      updatedAt: at,
    })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "planned")));
  await clearAlert(tx, `payment:${payment.id}`);
  await touchOrder(tx, payment.orderId, at);
}
