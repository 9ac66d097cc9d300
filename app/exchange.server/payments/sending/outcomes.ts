import { and, eq } from "drizzle-orm";
import { addMs } from "../../../lib/durations";
import { clearAlert } from "../../alerts/alerts";
import type { PreparedPayment } from "../../chains/gateway";
import type { ExchangeContext } from "../../context";
import { isSignedPayment, type PaymentRow, payments } from "../../db/schema/payments";
import { bookNetworkFee } from "../../ledger/fee-postings";
import { external, InsufficientBalanceError, payableTo, post } from "../../ledger/ledger";
import { addFunds } from "../../operator-advice";
import { askForDecision } from "../../orders/decisions/ask-for-decision";
import { undoFill } from "../../orders/payouts-and-refunds/fill";
import { finishOrder } from "../../orders/payouts-and-refunds/finish";
import { failPayment, planReplacement } from "../../orders/payouts-and-refunds/plan-payments";
import { lockOrderRow, recordEvent, touchOrder } from "../../orders/transition";
import { alertPayment, notParked, parkAfterRefusals, toParkedAction } from "../parked/park";

/**
 * Stores the confirmations of a payment that is in a block. With the last required one the payment is final: posts it
 * to the ledger and moves its order on. `version` is the version that was included, which after a fee bump may be an
 * earlier one. While the nodes disagree (`disputed`), the payment is kept one confirmation below the required number.
 * The gateway limits the number too, but by the current setting, which may be higher than the payment's.
 */
export async function confirmPayment(
  ctx: ExchangeContext,
  payment: PaymentRow,
  version: PreparedPayment,
  state: { confirmations: number; disputed?: boolean },
): Promise<void> {
  const { requiredConfirmations } = payment;
  const confirmations = state.disputed ? Math.min(state.confirmations, requiredConfirmations - 1) : state.confirmations;
  if (confirmations === payment.confirmations && confirmations < requiredConfirmations) return;
  try {
    await bookConfirmations(ctx, payment, { version, confirmations });
  } catch (error) {
    if (!(error instanceof InsufficientBalanceError)) throw error;
    const problem = "is made but cannot be booked";
    const at = await ctx.clock.now(ctx.db);
    await alertPayment(ctx.db, ctx, payment, { problem, reason: `${error.message}.`, action: addFunds, at });
  }
}

async function bookConfirmations(
  ctx: ExchangeContext,
  payment: PaymentRow,
  { version, confirmations }: { version: PreparedPayment; confirmations: number },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, payment.orderId);
    const at = await ctx.clock.now(tx);
    const isFinal = confirmations >= payment.requiredConfirmations;
    const [row] = await tx
      .update(payments)
      .set({
        confirmations,
        hash: version.hash,
        updatedAt: at,
        ...(isFinal && { status: "confirmed" as const, confirmedAt: at, ...notParked }),
      })
      .where(and(eq(payments.id, payment.id), isSignedPayment))
      .returning();
    if (!row) return;
    await touchOrder(tx, order.id, at);
    if (!isFinal) return;
    await clearAlert(tx, `payment:${payment.id}`);
    const { asset, amount } = payment;
    await post(tx, {
      transfers: [{ asset, from: payableTo(order.id), to: external, amount, kind: "paid" }],
      orderId: order.id,
      at,
    });
    await bookNetworkFee(tx, { asset, amount: BigInt(version.networkFee), orderId: order.id, at });
    await recordEvent(tx, order.id, {
      kind: "payment_confirmed",
      data: { payment: payment.id, purpose: payment.purpose, hash: version.hash },
      at,
    });
    await finishOrder(tx, ctx, { order, payment: row, at });
  });
}

/** How long a replacement payment waits before it is prepared. */
const replacementDelayMs = 30_000;

/** How often a payment and its replacements may be refused or have no effect. Then only an operator retries it. */
const maxRefusals = 6;

/**
 * Marks as failed a payment that certainly has had no effect and never will, and plans a replacement. A payment
 * without effect counts like a refusal. After too many the replacement is parked: nothing is signed for it until an
 * operator decides. Does nothing if the payment has changed since `payment` was read.
 */
export async function replacePayment(ctx: ExchangeContext, payment: PaymentRow, reason: string): Promise<void> {
  ctx.log.error({ payment: payment.id, hash: payment.hash, reason }, "a payment had no effect and is replaced");
  await ctx.db.transaction(async (tx) => {
    await lockOrderRow(tx, payment.orderId);
    const at = await ctx.clock.now(tx);
    if (!(await failPayment(tx, payment, reason, at))) return;
    // The refusals of a parked payment are already counted. If it was never accepted by a node, there was an outage.
    const isRefusal = payment.status === "sent" && payment.parkedAt === null;
    const refusals = payment.refusals + (isRefusal ? 1 : 0);
    const id = await planReplacement(tx, ctx, payment, {
      prepareAfter: addMs(at, replacementDelayMs),
      refusals,
      at,
    });
    if (refusals < parkAfterRefusals) return;
    const cause = payment.parkedAt === null ? `${reason}.` : (payment.lastError ?? reason);
    const isParked = refusals >= maxRefusals;
    if (isParked) await tx.update(payments).set({ parkedAt: at, lastError: cause }).where(eq(payments.id, id));
    const action = isParked
      ? toParkedAction({ ...payment, id })
      : "It is tried again. Wait until it is paid or parked.";
    await alertPayment(tx, ctx, { ...payment, id }, { reason: cause, action, at });
  });
}

/**
 * Fails a payout that certainly cannot be made and was never sent (`paying_out → needs_decision`): reverses the fill
 * and asks the customer for a decision. Does nothing if another worker has prepared the payout by then, because it may
 * already be sent, or if the order is on hold.
 * @returns false for the payout of a completed order, which cannot fail: a reorg removed the first one
 */
export async function failPayout(ctx: ExchangeContext, payment: PaymentRow, reason: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, payment.orderId);
    if (order.status === "completed") return false;
    const at = await ctx.clock.now(tx);
    if (order.status !== "paying_out" || !(await failPayment(tx, payment, reason, at))) return true;
    await undoFill(tx, order, at);
    await askForDecision(tx, ctx, order, { reason: "payout_failed", at });
    return true;
  });
}
