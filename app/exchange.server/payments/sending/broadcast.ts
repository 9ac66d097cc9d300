import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import type { ExchangeContext, RunningContext } from "../../context";
import { isDueToResend, noTime } from "../../db/not-before";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { describeError } from "../../describe-error";
import { lockOrderRow, recordEvent } from "../../orders/transition";
import { requirePrepared } from "../require-prepared";
import { handleBroadcastFailure } from "./broadcast-failure";
import { broadcastCancellations } from "./cancellations";
import { replacePayment } from "./outcomes";

/**
 * Step 2, prepared → sent: sends the stored bytes of all prepared payments of a chain. A parked
 * payment is sent again from time to time, unless its cancellation is on its way.
 */
export async function broadcastPrepared(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.asset, asset),
        eq(payments.status, "prepared"),
        or(isNull(payments.parkedAt), and(isNull(payments.cancellation), isDueToResend(now))),
      ),
    )
    .orderBy(asc(payments.nonce), asc(payments.createdAt), asc(payments.id));
  for (const payment of rows) {
    try {
      await broadcastPayment(ctx, payment);
    } catch (error) {
      // One failure, such as a node that stops responding, must not block the other payments.
      ctx.log.error({ payment: payment.id, asset, error: describeError(error) }, "a payment could not be sent");
    }
  }
  await broadcastCancellations(ctx, asset);
}

async function broadcastPayment(ctx: RunningContext, payment: PaymentRow): Promise<void> {
  try {
    await ctx.chains[payment.asset].broadcast(requirePrepared(payment));
  } catch (error) {
    // It may have been sent anyway. Only its state on the chain decides what happens next.
    const { id, asset } = payment;
    ctx.log.warn({ payment: id, asset, error: describeError(error) }, "a payment may not have been sent");
    if (!(await settleUnsent(ctx, payment))) await handleBroadcastFailure(ctx, payment, error);
    return;
  }
  await markSent(ctx, payment);
}

/** Records that the network has accepted a payment, unless it is being cancelled. */
async function markSent(ctx: ExchangeContext, payment: PaymentRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lockOrderRow(tx, payment.orderId);
    const at = await ctx.clock.now(tx);
    const [row] = await tx
      .update(payments)
      .set({ status: "sent", sentAt: at, parkedAt: null, ...noTime, updatedAt: at })
      .where(and(eq(payments.id, payment.id), eq(payments.status, "prepared"), isNull(payments.cancellation)))
      .returning({ id: payments.id });
    if (!row) return;
    await recordEvent(tx, payment.orderId, {
      kind: "payment_sent",
      data: { payment: payment.id, hash: payment.hash },
      at,
    });
  });
}

/** Whether the chain has decided about a payment that no node accepted. */
async function settleUnsent(ctx: RunningContext, payment: PaymentRow): Promise<boolean> {
  const { kind } = await ctx.chains[payment.asset].getPaymentState(requirePrepared(payment));
  if (kind === "impossible") {
    await replacePayment(ctx, payment, "the chain can no longer accept it");
    return true;
  }
  if (kind !== "in_block") return false;
  await markSent(ctx, payment);
  return true;
}
