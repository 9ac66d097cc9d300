import { BroadcastRefusedError, type PreparedPayment } from "../../chains/gateway";
import type { RunningContext } from "../../context";
import { getParkAt, parkAt, resendLater } from "../../db/not-before";
import { isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { toFirstLine } from "../../describe-error";
import { findPaymentBlock } from "../../operator-advice";
import { mayPark } from "../parked/may-park";
import { alertPayment, parkAfterRefusals, parkPayment } from "../parked/park";
import { requirePrepared } from "../require-prepared";
import { bumpFee } from "./bump-fee";

/**
 * Handles a payment that the network did not accept even though the nodes could be reached. Raises the fee if that was
 * the reason. Otherwise the payment is parked after a few refusals, or when it could not be sent for some minutes for
 * any other reason, so that it no longer delays others. Its bytes may have reached a node, so it is replaced only once
 * the chain can certainly no longer accept them. On Ethereum, its cancellation makes sure of that.
 */
export async function handleBroadcastFailure(ctx: RunningContext, payment: PaymentRow, error: unknown): Promise<void> {
  const refusal = error instanceof BroadcastRefusedError ? error.reason : null;
  if (refusal === "fee" && (await bumpFee(ctx, payment, { refused: true })) !== null) return;
  const at = await ctx.clock.now(ctx.db);
  const update = async (values: Partial<PaymentRow>): Promise<void> => {
    await ctx.db.update(payments).set(values).where(isUnchanged(payment));
  };
  if (payment.parkedAt !== null) return update(resendLater(at));

  const lastError = toFirstLine(error);
  if (refusal === "payment") {
    const refusals = payment.refusals + 1;
    if (refusals < parkAfterRefusals) return update({ lastError, refusals });
  } else {
    const time = getParkAt(payment, at);
    // A payment that was parked before gets a single try, so that it delays others for minutes only once.
    const wasParked = payment.refusals >= parkAfterRefusals;
    if (time > at && !wasParked) return update({ lastError, ...parkAt(time) });
  }
  const reason = refusal === null ? `it cannot be sent (${lastError}).` : `the network refuses it (${lastError}).`;
  await cancelAndPark(ctx, payment, { reason, at });
}

/**
 * What an operator should do about a payment that is being cancelled. One that was signed with a previous payout key
 * cannot be cancelled, because only that key can use up its nonce.
 */
export function toCancellationAction(ctx: RunningContext, { asset, signer, nonce }: PaymentRow): string {
  const wait = "Once the chain can no longer accept it, it is tried again. Wait until it is paid or parked again.";
  if (nonce === null || signer === ctx.chains[asset].signer) return wait;
  return `It was signed with the previous key of ${signer}. With that key, send 0 ether from this address to itself, with nonce ${nonce}. ${wait}`;
}

/** Parks a payment with its signed cancellation. While that is impossible, an alert says that all payments wait. */
async function cancelAndPark(
  ctx: RunningContext,
  payment: PaymentRow,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  const wait = (cause: string) =>
    alertPayment(ctx.db, ctx, payment, {
      reason: `${cause} We keep trying, and all others wait.`,
      action: findPaymentBlock(payment.asset),
      at,
    });
  if (!(await mayPark(ctx, payment.asset))) return wait(reason);
  let cancellation: PreparedPayment | null;
  try {
    cancellation = await ctx.chains[payment.asset].prepareCancellation(requirePrepared(payment));
  } catch (error) {
    return wait(`${reason} Its cancellation cannot be signed (${toFirstLine(error)}).`);
  }
  await parkPayment(ctx, payment, {
    reason,
    action: toCancellationAction(ctx, payment),
    refusals: Math.max(payment.refusals + 1, parkAfterRefusals),
    cancellation,
    ...resendLater(at),
  });
}
