/** Resends a payment that is not in a block yet, with a higher fee if it has waited too long. */
import type { RunningContext } from "../../context";
import { hasTime, noTime } from "../../db/not-before";
import { isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { describeError } from "../../describe-error";
import { requirePrepared } from "../require-prepared";
import { handleBroadcastFailure } from "./broadcast-failure";
import { bumpFee } from "./bump-fee";
import { fillNoncesBefore } from "./cancellations";

/**
 * Sends the stored bytes again, or a version with a higher fee if they have waited too long, and fills earlier nonces
 * that a reorg has freed.
 */
export async function resendPayment(ctx: RunningContext, payment: PaymentRow): Promise<void> {
  await sendAgain(ctx, payment);
  await fillNoncesBefore(ctx, payment);
}

async function sendAgain(ctx: RunningContext, payment: PaymentRow): Promise<void> {
  const version = (await bumpFee(ctx, payment)) ?? requirePrepared(payment);
  try {
    await ctx.chains[payment.asset].broadcast(version);
    if (hasTime(payment)) await ctx.db.update(payments).set(noTime).where(isUnchanged(payment));
  } catch (error) {
    ctx.log.warn({ payment: payment.id, error: describeError(error) }, "a payment could not be sent again");
    // If a version was stored just now, its fee is raised further in the next run.
    if (version.hash !== requirePrepared(payment).hash) return;
    // It has left the chain, or every node has dropped it. Send it again, so that later payments do not have to wait
    // for its nonce.
    if (payment.nonce !== null) await handleBroadcastFailure(ctx, payment, error);
  }
}
