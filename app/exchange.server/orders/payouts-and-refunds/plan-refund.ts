import { and, asc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { addMs, dayMs } from "../../../lib/durations";
import { formatAmount } from "../../../lib/money";
import { raiseAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import { type Database, lockFor } from "../../db/database";
import { type OrderRow, orders } from "../../db/schema/orders";
import { isOpenPayment, type PaymentRow, payments } from "../../db/schema/payments";
import { returnFees } from "../../ledger/fee-postings";
import { fees, heldFor, payableTo, post, type Transfer } from "../../ledger/ledger";
import { getRefundCost } from "../../pricing/payment-costs";
import { toFundingPath } from "../funding-path";
import { getHeldAmount, getHeldDeposits, type RefundedPart, takeFromLatest } from "../held-deposits";
import { reportKept } from "../owner-mails/set-aside-mail";
import { insertEvent, recordEvent } from "../transition";
import { insertRefundedParts, planPayment, withdrawPlanned } from "./plan-payments";
import { getWaitIfReaddressed } from "./readdress-wait";
import { setsAside } from "./set-aside";

/** What happens to the amount held for an order, if there is one. */
export type RefundPlan = "planned" | "postponed" | "kept" | "nothing";

/**
 * Plans the refund of everything that is held for an order, less the cost of one payment, to its refund address. If the
 * order has a refund that is not signed yet, the amount is added to it at no further cost. An amount that is not worth
 * its cost stays held until `refundSetAside` finds that it is worth refunding. USDT refunds above the cap wait for an
 * operator. While the cost is not known, the refund is postponed: `planPostponedRefunds` plans it if the order is being
 * refunded and has no open payment, otherwise `refundSetAside`.
 */
export async function planRefund(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<RefundPlan> {
  const amount = await getHeldAmount(tx, order);
  if (amount === 0n) return "nothing";
  const asset = order.sourceAsset;
  const exceedsCap = await isAboveCap(tx, ctx, { order, amount, at });
  const open = exceedsCap ? null : await getUnsignedRefund(tx, order);
  if (open) {
    await addToRefund(tx, open, { order, amount, at });
    return "planned";
  }
  const cost = await getRefundCost(tx, ctx, { asset, at });
  if (cost === null) {
    // Recorded only if the amount would count as set aside otherwise, so only once: `endRefunding` tries in each run.
    if (await setsAside(tx, order.id))
      await recordEvent(tx, order.id, { kind: "refund_postponed", data: { amount: amount.toString() }, at });
    return "postponed";
  }
  if (amount <= cost) {
    await reportKept(tx, ctx, order, { amount, at });
    return "kept";
  }
  const parts = await postRefund(tx, order, { amount, cost, at });
  const paymentId = await planPayment(tx, ctx, {
    order,
    purpose: "refund",
    asset,
    grossAmount: amount,
    amount: amount - cost,
    address: order.refundAddress,
    prepareAfter: await getWaitIfReaddressed(tx, ctx, { order, address: order.refundAddress, at }),
    at,
  });
  await insertRefundedParts(tx, paymentId, parts);
  if (exceedsCap) await parkRefund(tx, ctx, { order, paymentId, amount: amount - cost, at });
  return "planned";
}

/** Posts the refund of an amount that is held for the order. @returns the parts of deposits that make up the amount */
async function postRefund(
  tx: Database,
  order: OrderRow,
  { amount, cost, at }: { amount: bigint; cost: bigint; at: Date },
): Promise<RefundedPart[]> {
  const parts = takeFromLatest(await getHeldDeposits(tx, order.id), amount);
  const asset = order.sourceAsset;
  await post(tx, {
    transfers: [
      { asset, from: heldFor(order.id), to: payableTo(order.id), amount: amount - cost, kind: "refund" },
      { asset, from: heldFor(order.id), to: fees, amount: cost, kind: "refund_cost" },
    ],
    orderId: order.id,
    at,
  });
  return parts;
}

/** A refund of the order for which nothing is signed, to the current refund address. */
async function getUnsignedRefund(tx: Database, order: OrderRow): Promise<PaymentRow | null> {
  const [open] = await tx
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.orderId, order.id),
        eq(payments.purpose, "refund"),
        eq(payments.status, "planned"),
        eq(payments.address, order.refundAddress),
        isNull(payments.parkedAt),
      ),
    )
    .orderBy(asc(payments.createdAt), asc(payments.id))
    .limit(1);
  return open ?? null;
}

/**
 * Adds an amount to a refund for which nothing is signed, at no further cost. The caller holds the order's lock. If the
 * refund is being built at the moment, the result is dropped instead of stored, because its amount differs.
 */
async function addToRefund(
  tx: Database,
  refund: PaymentRow,
  { order, amount, at }: { order: OrderRow; amount: bigint; at: Date },
): Promise<void> {
  const parts = await postRefund(tx, order, { amount, cost: 0n, at });
  const total = refund.amount + amount;
  await tx
    .update(payments)
    .set({ grossAmount: refund.grossAmount + amount, amount: total, updatedAt: at })
    .where(eq(payments.id, refund.id));
  await insertRefundedParts(tx, refund.id, parts);
  await recordEvent(tx, refund.orderId, {
    kind: "payment_planned",
    data: { payment: refund.id, purpose: "refund", amount: total.toString() },
    at,
  });
}

const capWindowMs = dayMs;

/**
 * Whether a refund would bring the USDT refunds of an account that are open, or final for less than 24 hours, above the
 * cap. Refunds leave the hot wallet while the deposit is still at its funding address, so without a cap, large
 * surpluses would empty the hot wallet. An amount that is added to a planned refund counts, whatever the age of that
 * refund. There is no cap for MOB, because MOB deposits arrive in the wallet that pays. Other USDT refunds of the
 * account can only be planned after this transaction.
 */
async function isAboveCap(
  tx: Database,
  ctx: ExchangeContext,
  { order, amount, at }: { order: OrderRow; amount: bigint; at: Date },
): Promise<boolean> {
  if (order.sourceAsset !== "USDT") return false;
  await lockFor(tx, `refunds:${order.accountId}`);
  const isRecent = and(eq(payments.status, "confirmed"), gt(payments.confirmedAt, addMs(at, -capWindowMs)));
  const [row] = await tx
    .select({ refunded: sql<string>`coalesce(sum(${payments.grossAmount}), 0)::text` })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(
        eq(orders.accountId, order.accountId),
        eq(payments.purpose, "refund"),
        eq(payments.asset, "USDT"),
        or(isOpenPayment, isRecent),
      ),
    );
  return BigInt(row?.refunded ?? "0") + amount > ctx.config.refundMaxUsdt;
}

/** Parks a planned refund until an operator runs `operate retry`. */
async function parkRefund(
  tx: Database,
  ctx: ExchangeContext,
  { order, paymentId, amount, at }: { order: OrderRow; paymentId: string; amount: bigint; at: Date },
): Promise<void> {
  const cap = formatAmount(ctx.config.refundMaxUsdt, "USDT");
  const reason = `The account's open USDT refunds and those of the last 24 hours exceed ${cap} USDT.`;
  await tx.update(payments).set({ parkedAt: at, lastError: reason, updatedAt: at }).where(eq(payments.id, paymentId));
  await insertEvent(tx, order.id, { kind: "payment_parked", data: { payment: paymentId, reason }, at });
  await raiseAlert(tx, ctx, {
    subject: `payment:${paymentId}`,
    orderId: order.id,
    reason: `The refund of ${formatAmount(amount, "USDT")} USDT waits. ${reason}`,
    action: `Collect the deposit at ${order.fundingAddress} (${toFundingPath(order.fundingIndex)}), then run "operate retry ${paymentId}".`,
    at,
  });
}

/** Withdraws a planned refund and reverses its postings: the amount is held for the order again. */
export async function withdrawRefund(
  tx: Database,
  refund: PaymentRow,
  withdrawal: { reason: string; at: Date },
): Promise<void> {
  await withdrawPlanned(tx, refund, withdrawal);
  await returnFees(tx, { transfers: toUndoneRefund(refund), orderId: refund.orderId, at: withdrawal.at });
}

/** The transfers that reverse a planned refund. */
export function toUndoneRefund({ orderId, asset, amount, grossAmount }: PaymentRow): Transfer[] {
  const [held, kind] = [heldFor(orderId), "refund_undone"] as const;
  return [
    { asset, from: payableTo(orderId), to: held, amount, kind },
    { asset, from: fees, to: held, amount: grossAmount - amount, kind },
  ];
}
