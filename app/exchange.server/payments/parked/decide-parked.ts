import { and, eq, isNull, or } from "drizzle-orm";
import { assets } from "../../../lib/assets";
import { laterOf } from "../../../lib/durations";
import { clearAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { prepareAfter } from "../../db/not-before";
import { deliveryAddresses } from "../../db/schema/addresses";
import type { OrderRow } from "../../db/schema/orders";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { ExchangeError } from "../../errors";
import { notifyReaddressed } from "../../orders/owner-mails/outcome-mails";
import { getPlannedPayout } from "../../orders/payouts-and-refunds/fill";
import { mayHaveBeenMade } from "../../orders/payouts-and-refunds/may-have-been-made";
import { getReaddressWait, getWaitIfReaddressed } from "../../orders/payouts-and-refunds/readdress-wait";
import { refundFilled } from "../../orders/payouts-and-refunds/refund";
import { lockOrderRow, recordEvent, touchOrder } from "../../orders/transition";
import { lockPlanned, type Planned } from "../lock-planned";

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

/** Prepares a payment again that is not a duplicate after all. Does nothing if it is now parked for another reason. */
export async function releasePossibleDuplicate(
  ctx: ExchangeContext,
  { id, orderId, mayDuplicate }: PaymentRow,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, orderId);
    const [payment] = await tx.select().from(payments).where(eq(payments.id, id));
    if (payment?.status !== "planned" || payment.parkedAt === null || payment.mayDuplicate !== mayDuplicate) return;
    await unpark(tx, ctx, { payment, order }, await ctx.clock.now(tx));
  });
}

/**
 * Pays a parked payment to another address. The order's owner confirms the address by saving it in their account: any
 * other address is refused. The payment waits until the address has been saved for as long as new payouts wait after a
 * recovery of the account. After a recovery, it also waits as long as new payouts (T31). Someone other than the owner
 * may have saved the address, so the owner is told by e-mail.
 * @throws not_found; conflict, including if the wallet may have paid it already; address_invalid if the
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
        eq(deliveryAddresses.isOurs, false),
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
        ? { deliveryAddress: saved.address, payoutNotBefore: laterOf(order.payoutNotBefore, until) }
        : { refundAddress: saved.address },
  });
  await unpark(tx, ctx, { payment: { ...payment, address: saved.address }, order: changed }, at);
  await notifyReaddressed(tx, ctx, changed, { payment, address: saved.address, until });
}

/**
 * Undoes the fill of an order whose payout is parked, and refunds the order. A completed order has such a payout if a
 * reorg permanently removed the first one.
 * @throws conflict, including if the wallet may have made the payout already; InsufficientBalanceError
 */
export async function refundParkedPayout(tx: Database, ctx: ExchangeContext, order: OrderRow): Promise<void> {
  const payout = await getPlannedPayout(tx, order.id);
  const at = await ctx.clock.now(tx);
  const isFilled = order.status === "paying_out" || order.status === "completed";
  if (!isFilled || payout === null || payout.parkedAt === null) throw new ExchangeError("conflict");
  await refundFilled(tx, ctx, { order, payout, at });
}

/** Locks the order of a parked payment for which nothing is signed. @throws not_found, conflict */
async function lockParked(tx: Database, paymentId: string): Promise<Planned> {
  const planned = await lockPlanned(tx, paymentId);
  if (planned.payment.parkedAt === null) throw new ExchangeError("conflict");
  return planned;
}

/**
 * Lets a parked payment be prepared again. A payout still waits until its order may be paid out. A payment to an
 * address that an operator has given it waits until that address may be paid (T31).
 */
async function unpark(tx: Database, ctx: ExchangeContext, { payment, order }: Planned, at: Date): Promise<void> {
  const { address } = payment;
  const ofAddress = await getWaitIfReaddressed(tx, ctx, { order, address, at });
  const wait = laterOf(payment.purpose === "payout" ? order.payoutNotBefore : null, ofAddress);
  await tx
    .update(payments)
    .set({
      address,
      parkedAt: null,
      refusals: 0,
      attempts: 0,
      failures: 0,
      ...prepareAfter(wait),
      mayDuplicate: null,
      lastError: null,
      updatedAt: at,
    })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "planned")));
  await clearAlert(tx, `payment:${payment.id}`);
  await touchOrder(tx, payment.orderId, at);
}
