import { and, eq, isNull } from "drizzle-orm";
import type { PreparedPayment } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { house, payableTo, post, world } from "../ledger/ledger";
import { askForDecision } from "./decisions";
import { undoFill } from "./fill";
import { type PaymentRow, planPayment } from "./plan-payments";
import { hasOpenPayments } from "./queries";
import { payments } from "./tables";
import { tellCompleted, tellRefunded, tellReturned } from "./tell-owner";
import { insertEvent, lockOrder, type OrderRow, recordEvent, touchOrder, transition } from "./transition";

/** A payment is in a block: counts its confirmations, and at the last one books it as paid. */
export async function confirmPayment(
  x: ExchangeContext,
  payment: PaymentRow,
  version: PreparedPayment,
  confirmations: number,
): Promise<void> {
  if (confirmations === payment.confirmations && confirmations < payment.requiredConfirmations) return;
  await x.db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    const at = await x.clock.now(tx);
    const final = confirmations >= payment.requiredConfirmations;
    const [row] = await tx
      .update(payments)
      .set({
        confirmations,
        hash: version.hash,
        updatedAt: at,
        ...(final && { status: "confirmed" as const, confirmedAt: at }),
      })
      .where(and(eq(payments.id, payment.id), eq(payments.status, "sent")))
      .returning();
    if (!row) return;
    await touchOrder(tx, order.id, at);
    if (!final) return;
    const networkFee = BigInt(version.networkFee);
    await post(tx, {
      transfers: [
        { asset: payment.asset, from: payableTo(order.id), to: world, amount: payment.amount, kind: "paid" },
        { asset: payment.asset, from: house, to: world, amount: networkFee, kind: "network_fee" },
      ],
      orderId: order.id,
      at,
    });
    await recordEvent(tx, order.id, {
      kind: "payment_confirmed",
      data: { payment: payment.id, purpose: payment.purpose, hash: version.hash },
      at,
    });
    await finishOrder(tx, x, order, row, at);
  });
}

/** The last outgoing payment ends the order: the payout completes it, the last refund refunds it. */
async function finishOrder(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  payment: PaymentRow,
  at: Date,
): Promise<void> {
  if (payment.purpose === "payout" && order.status === "paying_out") {
    const completed = await transition(tx, order, "completed", { kind: "completed", at });
    await tellCompleted(tx, x, completed, payment);
    return;
  }
  if (order.status !== "refunding") {
    if (payment.purpose === "refund") await tellReturned(tx, x, order, payment);
    return;
  }
  if (await hasOpenPayments(tx, order.id)) return;
  const refunded = await transition(tx, order, "refunded", { kind: "refunded", at });
  await tellRefunded(tx, x, refunded);
}

/**
 * A payment that certainly had and will have no effect: it has failed, and the same money is
 * owed anew. Its successor waits half a minute. Changes nothing where the payment has moved
 * on since `payment` was read.
 */
export async function replacePayment(x: ExchangeContext, payment: PaymentRow, why: string): Promise<void> {
  x.log.error({ payment: payment.id, hash: payment.hash, why }, "a payment had no effect and is planned anew");
  await x.db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    const at = await x.clock.now(tx);
    if (!(await markFailed(tx, payment, why, at))) return;
    await insertEvent(tx, order.id, { kind: "payment_failed", data: { payment: payment.id, why }, at }, null, null);
    await planPayment(tx, x, {
      order,
      purpose: payment.purpose,
      part: payment.part,
      asset: payment.asset,
      grossAmount: payment.grossAmount,
      amount: payment.amount,
      address: payment.address,
      depositId: payment.depositId,
      notBefore: new Date(at.getTime() + 30_000),
      at,
    });
  });
}

/**
 * A payout that the chain refuses for certain before anything was sent (`paying_out →
 * needs_decision`): the fill is undone, and the owner is asked. Changes nothing where
 * another worker has prepared it meanwhile: its bytes may be on their way.
 */
export async function payoutFailed(x: ExchangeContext, payment: PaymentRow, why: string): Promise<void> {
  await x.db.transaction(async (tx) => {
    const order = await lockOrder(tx, payment.orderId);
    const at = await x.clock.now(tx);
    if (order.status !== "paying_out" || !(await markFailed(tx, payment, why, at))) return;
    await insertEvent(tx, order.id, { kind: "payment_failed", data: { payment: payment.id, why }, at }, null, null);
    await undoFill(tx, order, at);
    await askForDecision(tx, x, order, "payout_failed", at);
  });
}

/**
 * Fails exactly the version that was judged: another worker may have prepared it, raised its
 * fee or seen it land since, and what was true of these bytes says nothing of those (T59).
 */
async function markFailed(tx: Database, judged: PaymentRow, why: string, at: Date): Promise<boolean> {
  const rows = await tx
    .update(payments)
    .set({ status: "failed", lastError: why, updatedAt: at })
    .where(
      and(
        eq(payments.id, judged.id),
        eq(payments.status, judged.status),
        judged.hash === null ? isNull(payments.hash) : eq(payments.hash, judged.hash),
      ),
    )
    .returning({ id: payments.id });
  return rows.length === 1;
}
