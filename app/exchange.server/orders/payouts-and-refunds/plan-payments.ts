import { eq, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { clearAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { prepareAfter } from "../../db/not-before";
import type { OrderRow } from "../../db/schema/orders";
import { isUnchanged, type PaymentRow, payments, refundedDeposits } from "../../db/schema/payments";
import { invariant } from "../../errors";
import { newId } from "../../ids";
import type { RefundedPart } from "../held-deposits";
import { insertEvent, recordEvent } from "../transition";

/**
 * Records a payment that we owe; the payment job sends it. A unique index allows one payout per order.
 * @returns the payment's id
 */
export async function planPayment(
  tx: Database,
  ctx: ExchangeContext,
  plan: {
    order: Pick<OrderRow, "id">;
    purpose: "payout" | "refund";
    asset: AssetSymbol;
    grossAmount: bigint;
    amount: bigint;
    address: string;
    prepareAfter: Date | null;
    /** How often the network refused the payment that this one replaces. */
    refusals?: number;
    at: Date;
  },
): Promise<string> {
  const id = newId();
  await tx.insert(payments).values({
    id,
    orderId: plan.order.id,
    purpose: plan.purpose,
    asset: plan.asset,
    grossAmount: plan.grossAmount,
    amount: plan.amount,
    address: plan.address,
    status: "planned",
    requiredConfirmations: ctx.chains[plan.asset].requiredConfirmations,
    ...prepareAfter(plan.prepareAfter),
    refusals: plan.refusals ?? 0,
    createdAt: plan.at,
    updatedAt: plan.at,
  });
  await recordEvent(tx, plan.order.id, {
    kind: "payment_planned",
    data: { payment: id, purpose: plan.purpose, amount: plan.amount.toString() },
    at: plan.at,
  });
  return id;
}

/**
 * Marks a payment as failed, with an event of its order, if it is unchanged since `payment` was read (T59). Another
 * worker may have prepared it, raised its fee or confirmed it since; the verdict applies only to the version it was
 * based on.
 */
export async function failPayment(tx: Database, payment: PaymentRow, reason: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(payments)
    .set({ status: "failed", lastError: reason, updatedAt: at })
    .where(isUnchanged(payment))
    .returning({ id: payments.id });
  if (rows.length === 0) return false;
  await clearAlert(tx, `payment:${payment.id}`);
  await insertEvent(tx, payment.orderId, { kind: "payment_failed", data: { payment: payment.id, reason }, at });
  return true;
}

/**
 * Withdraws a planned payment, so that it is never signed. The caller holds the order's lock, has read the payment
 * since, and reverses its postings.
 */
export async function withdrawPlanned(
  tx: Database,
  payment: PaymentRow,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  invariant(payment.status === "planned", "only a payment that is planned can be withdrawn");
  const isFailed = await failPayment(tx, payment, reason, at);
  invariant(isFailed, "a payment that is planned stays planned while its order is locked");
}

/** Plans the same payment again, after one that certainly had no effect. @returns the new payment's id */
export async function planReplacement(
  tx: Database,
  ctx: ExchangeContext,
  payment: PaymentRow,
  options: { prepareAfter: Date | null; refusals?: number; at: Date },
): Promise<string> {
  const { orderId, purpose, asset, grossAmount, amount, address } = payment;
  const id = await planPayment(tx, ctx, {
    order: { id: orderId },
    purpose,
    asset,
    grossAmount,
    amount,
    address,
    ...options,
  });
  const parts = await tx
    .select({ depositId: refundedDeposits.depositId, amount: refundedDeposits.amount })
    .from(refundedDeposits)
    .where(eq(refundedDeposits.paymentId, payment.id));
  await insertRefundedParts(tx, id, parts);
  return id;
}

/** The most rows of one statement, well below the limit on its parameters. */
const partsPerInsert = 1_000;

/** Records the parts of deposits that a refund returns. A part of a deposit that it returns already is enlarged. */
export async function insertRefundedParts(tx: Database, paymentId: string, parts: RefundedPart[]): Promise<void> {
  for (let start = 0; start < parts.length; start += partsPerInsert) {
    await tx
      .insert(refundedDeposits)
      .values(parts.slice(start, start + partsPerInsert).map((part) => ({ paymentId, ...part })))
      .onConflictDoUpdate({
        target: [refundedDeposits.paymentId, refundedDeposits.depositId],
        set: { amount: sql`${refundedDeposits.amount} + excluded.amount` },
      });
  }
}
