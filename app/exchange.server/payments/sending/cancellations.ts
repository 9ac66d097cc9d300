import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { hasAlert } from "../../alerts/alerts";
import { BroadcastRefusedError, type PreparedPayment } from "../../chains/gateway";
import type { RunningContext } from "../../context";
import { getChainState } from "../../db/chain-state";
import { isSignedPayment, isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { describeError, toFirstLine } from "../../describe-error";
import { findPaymentBlock } from "../../operator-advice";
import { lockOrderRow } from "../../orders/transition";
import { alertPayment } from "../parked/park";
import { requirePrepared } from "../require-prepared";
import { cancellationPatienceMs } from "../unsent";
import { toCancellationAction } from "./broadcast-failure";

/** Sends the cancellations of parked payments until one of the two has used the nonce. */
export async function broadcastCancellations(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(and(eq(payments.asset, asset), isSignedPayment, isNotNull(payments.cancellation)))
    .orderBy(asc(payments.nonce));
  for (const payment of rows) {
    if (payment.cancellation === null) continue;
    let failure: unknown;
    try {
      failure = await sendCancellation(ctx, payment, payment.cancellation);
    } catch (error) {
      failure = error;
      ctx.log.error({ payment: payment.id, asset, error: describeError(error) }, "a cancellation could not be sent");
    }
    await reportCancellation(ctx, payment, failure);
  }
}

/**
 * Alerts an operator if a cancellation has not been sent for some time: until it is, no payment of its asset is signed,
 * and new swaps stop. Afterwards, the alert says again that only this payment waits.
 */
async function reportCancellation(ctx: RunningContext, payment: PaymentRow, failure: unknown): Promise<void> {
  const action = findPaymentBlock(payment.asset);
  await ctx.db.transaction(async (tx) => {
    await lockOrderRow(tx, payment.orderId);
    const [row] = await tx.select().from(payments).where(isUnchanged(payment));
    if (!row || row.parkedAt === null || row.cancellation === null) return;
    const at = await ctx.clock.now(tx);
    const reason = row.lastError ?? "it was refused.";
    if (row.cancellationSentAt !== null) {
      if (!(await hasAlert(tx, `payment:${row.id}`, action))) return;
      return alertPayment(tx, ctx, row, { reason, action: toCancellationAction(ctx, row), at });
    }
    // A time in the future means that the clock was corrected.
    if (Math.abs(at.getTime() - row.parkedAt.getTime()) < cancellationPatienceMs) return;
    const also = `Its cancellation cannot be sent either (${toFirstLine(failure)}). We keep trying, and all others wait.`;
    await alertPayment(tx, ctx, row, { reason: `${reason} ${also}`, action, at });
  });
}

/**
 * Sends the cancellation of a payment, and fills earlier nonces that a reorg has freed, even if the nodes refuse the
 * cancellation: a free earlier nonce may be the reason.
 * @returns what `broadcastCancellation` returns
 */
export function sendCancellation(
  ctx: RunningContext,
  payment: PaymentRow,
  cancellation: PreparedPayment,
): Promise<BroadcastRefusedError | null> {
  return broadcastCancellation(ctx, payment, cancellation).finally(() => fillNoncesBefore(ctx, payment));
}

/**
 * Sends the cancellation of a payment, or a version with a higher fee if it has waited too long.
 * @returns the network's refusal because of its fee, which is then raised if possible; null if it was accepted
 */
async function broadcastCancellation(
  ctx: RunningContext,
  payment: PaymentRow,
  cancellation: PreparedPayment,
): Promise<BroadcastRefusedError | null> {
  const gateway = ctx.chains[payment.asset];
  const store = (bumped: PreparedPayment) =>
    ctx.db.update(payments).set({ cancellation: bumped }).where(isUnchanged(payment));
  const isSent = payment.cancellationSentAt !== null;
  const bumped = isSent ? await gateway.bumpPayment(cancellation) : null;
  if (bumped) await store(bumped);
  try {
    await gateway.broadcast(bumped ?? cancellation);
  } catch (error) {
    if (!(error instanceof BroadcastRefusedError && error.reason === "fee")) throw error;
    const raised = await gateway.bumpPayment(bumped ?? cancellation, { refused: true });
    if (raised) await store(raised);
    return error;
  }
  if (isSent) return null;
  const at = await ctx.clock.now(ctx.db);
  await ctx.db.update(payments).set({ cancellationSentAt: at }).where(isUnchanged(payment));
  return null;
}

/**
 * Closes a nonce gap before a payment. Failed payments had these nonces and are no longer followed. If a reorg removed
 * the transactions that used them, this payment or its cancellation cannot be included until they are used again. Sends
 * their cancellations again, or new ones for what was included without effect: the lowest nonce first, because some
 * nodes refuse a transaction behind a free nonce.
 */
export async function fillNoncesBefore(ctx: RunningContext, { signer, nonce }: PaymentRow): Promise<void> {
  if (signer === null || nonce === null) return;
  const toSend: { earlier: PaymentRow; cancellation: PreparedPayment }[] = [];
  for (let before = nonce - 1; before >= 0; before -= 1) {
    const [earlier] = await ctx.db
      .select()
      .from(payments)
      .where(and(eq(payments.signer, signer), eq(payments.nonce, before)));
    if (earlier?.status === "failed") {
      const cancellation = earlier.cancellation ?? (await cancelRemoved(ctx, earlier));
      if (cancellation === null) break;
      toSend.unshift({ earlier, cancellation });
    } else if (!earlier?.cancellation) break;
    // If the payment has not failed, `broadcastCancellations` sends its cancellation in every run.
  }
  for (const { earlier, cancellation } of toSend) await broadcastCancellation(ctx, earlier, cancellation);
}

/**
 * Signs and stores the cancellation of a failed payment whose nonce is free again; null if the nonce is not free. The
 * payment's own transaction may still be waiting for a block, where it could now take effect.
 */
async function cancelRemoved(ctx: RunningContext, payment: PaymentRow): Promise<PreparedPayment | null> {
  const gateway = ctx.chains[payment.asset];
  const chain = await getChainState(ctx.db, payment.asset);
  if (!chain || chain.height === null || payment.nonce === null) return null;
  const mined = await gateway.getMinedNonce(chain.height);
  if (mined === null || mined > payment.nonce) return null;
  const cancellation = await gateway.prepareCancellation(requirePrepared(payment));
  if (cancellation) await ctx.db.update(payments).set({ cancellation }).where(isUnchanged(payment));
  return cancellation;
}
