import { and, asc, eq, inArray, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { BroadcastRefusedError, type PreparedPayment } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { chainStates } from "../db/schema/chains";
import { payments } from "../db/schema/payments";
import { describeError } from "../describe-error";
import type { PaymentRow } from "../orders/plan-payments";
import { insertEvent, touchOrder } from "../orders/transition";
import { bumpFee } from "./fees";
import { mayPark, toCause } from "./may-park";
import { alertPayment, isUnchanged, parkAfterRefusals, parkPayment, replacePayment } from "./outcomes";
import { requirePrepared } from "./require-prepared";

/** How long a payment may fail to be sent for an unclear reason before it is parked. */
const patienceMs = 240_000;
/** How long a parked payment waits before its bytes are sent again. */
const parkedRetryMs = 60_000;

/**
 * Step 2, prepared → sent: sends the stored bytes of all prepared payments of a chain. A parked
 * payment is sent again from time to time, unless its cancellation is on its way.
 */
export async function broadcastPrepared(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  const isDue = or(isNull(payments.notBefore), lte(payments.notBefore, now));
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.asset, asset),
        eq(payments.status, "prepared"),
        or(isNull(payments.parkedAt), and(isNull(payments.cancellation), isDue)),
      ),
    )
    .orderBy(asc(payments.nonce), asc(payments.createdAt), asc(payments.id));
  for (const payment of rows) {
    try {
      await broadcastPayment(ctx, payment);
    } catch (error) {
      // One failure, such as a node that stops answering, must not block the others.
      ctx.log.error({ payment: payment.id, asset, error: describeError(error) }, "a payment could not be sent");
    }
  }
  await broadcastCancellations(ctx, asset);
}

async function broadcastPayment(ctx: ExchangeContext, payment: PaymentRow): Promise<void> {
  try {
    await ctx.chains[payment.asset].broadcast(requirePrepared(payment));
  } catch (error) {
    // It may have been sent anyway. Only its state on the chain decides what happens next.
    const { id, asset } = payment;
    ctx.log.warn({ payment: id, asset, error: describeError(error) }, "a payment may not have been sent");
    if (!(await settleUnsent(ctx, payment))) await handleFailure(ctx, payment, error);
    return;
  }
  await markSent(ctx, payment);
}

async function markSent(ctx: ExchangeContext, payment: PaymentRow): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const at = await ctx.clock.now(tx);
    const [row] = await tx
      .update(payments)
      .set({ status: "sent", sentAt: at, parkedAt: null, notBefore: null, updatedAt: at })
      .where(and(eq(payments.id, payment.id), eq(payments.status, "prepared"), isNull(payments.cancellation)))
      .returning({ id: payments.id });
    if (!row) return;
    await insertEvent(tx, payment.orderId, {
      kind: "payment_sent",
      data: { payment: payment.id, hash: payment.hash },
      at,
    });
    await touchOrder(tx, payment.orderId, at);
  });
}

/** Whether the chain has decided about a payment that no node took. */
async function settleUnsent(ctx: ExchangeContext, payment: PaymentRow): Promise<boolean> {
  const { state } = await ctx.chains[payment.asset].getPaymentState(requirePrepared(payment));
  if (state === "impossible") {
    await replacePayment(ctx, payment, "the chain can no longer accept it");
    return true;
  }
  if (state !== "in_block") return false;
  await ctx.db
    .update(payments)
    .set({ status: "sent" })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "prepared")));
  return true;
}

/**
 * Handles a payment that the network did not accept, although the nodes could be reached. Raises the fee if that
 * was the reason. Otherwise the payment is parked after a few refusals, or when it could not be sent for some minutes
 * for any other reason, so that it no longer delays others. Its bytes may have reached some node: it is only replaced
 * once the chain can certainly not accept them, which on Ethereum its cancellation brings about.
 */
export async function handleFailure(ctx: ExchangeContext, payment: PaymentRow, error: unknown): Promise<void> {
  const refusal = error instanceof BroadcastRefusedError ? error.reason : null;
  if (refusal === "fee" && (await bumpFee(ctx, payment, { refused: true })) !== null) return;
  const at = await ctx.clock.now(ctx.db);
  const after = (ms: number) => new Date(at.getTime() + ms);
  const set = (values: Partial<PaymentRow>) => ctx.db.update(payments).set(values).where(isUnchanged(payment));
  if (payment.parkedAt !== null) {
    await set({ notBefore: after(parkedRetryMs) });
    return;
  }
  const lastError = toCause(error);
  const refusals = payment.refusals + 1;
  const isClear = refusal === "payment";
  const isPatienceOver = payment.notBefore !== null && payment.notBefore <= at;
  // One that was parked before gets a single try, so that it delays others for minutes only once.
  const givesUp = payment.refusals >= parkAfterRefusals || (isClear ? refusals >= parkAfterRefusals : isPatienceOver);
  if (!givesUp) {
    await set({ lastError, ...(isClear ? { refusals } : { notBefore: payment.notBefore ?? after(patienceMs) }) });
    return;
  }
  const reason = refusal === null ? `it cannot be sent (${lastError}).` : `the network refuses it (${lastError}).`;
  const wait = (cause: string) =>
    alertPayment(ctx.db, ctx, payment, { reason: `${cause} We keep trying, and all others wait.`, at });
  if (!(await mayPark(ctx, payment.asset))) return wait(reason);
  let cancellation: PreparedPayment | null;
  try {
    cancellation = await ctx.chains[payment.asset].prepareCancellation(requirePrepared(payment));
  } catch (error) {
    return wait(`${reason} Its cancellation cannot be signed (${toCause(error)}).`);
  }
  await parkPayment(ctx, payment, {
    reason,
    refusals: Math.max(refusals, parkAfterRefusals),
    cancellation,
    notBefore: after(parkedRetryMs),
  });
}

/** Sends the cancellations of parked payments until one of the two has used the nonce. */
async function broadcastCancellations(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const rows = await ctx.db
    .select()
    .from(payments)
    .where(
      and(eq(payments.asset, asset), inArray(payments.status, ["prepared", "sent"]), isNotNull(payments.cancellation)),
    )
    .orderBy(asc(payments.nonce));
  for (const payment of rows) {
    try {
      await broadcastCancellation(ctx, payment, payment.cancellation as PreparedPayment);
      await fillNoncesBefore(ctx, payment);
    } catch (error) {
      ctx.log.error({ payment: payment.id, asset, error: describeError(error) }, "a cancellation could not be sent");
    }
  }
}

/** Sends the cancellation of a payment, or a version with a higher fee if it has waited too long. */
export async function broadcastCancellation(
  ctx: ExchangeContext,
  payment: PaymentRow,
  cancellation: PreparedPayment,
): Promise<void> {
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
    return;
  }
  if (isSent) return;
  const at = await ctx.clock.now(ctx.db);
  await ctx.db.update(payments).set({ cancellationSentAt: at }).where(isUnchanged(payment));
}

/**
 * Closes a gap of nonces before a payment. Failed payments had these nonces and are not followed any more. If a
 * reorganisation removed the transactions that used them, this payment or its cancellation cannot be included until they
 * are used again. Sends their cancellations again, or new ones for what was included without effect.
 */
export async function fillNoncesBefore(ctx: ExchangeContext, { signer, nonce }: PaymentRow): Promise<void> {
  if (signer === null || nonce === null) return;
  for (let before = nonce - 1; before >= 0; before -= 1) {
    const [earlier] = await ctx.db
      .select()
      .from(payments)
      .where(and(eq(payments.signer, signer), eq(payments.nonce, before)));
    if (earlier?.status === "failed") {
      const cancellation = earlier.cancellation ?? (await cancelRemoved(ctx, earlier));
      if (cancellation === null) return;
      await broadcastCancellation(ctx, earlier, cancellation as PreparedPayment);
    } else if (!earlier?.cancellation) return;
    // That of a payment which has not failed is sent in every run.
  }
}

/**
 * Signs and stores the cancellation of a failed payment whose nonce is free again; null if it is not. Its own transaction
 * may still wait for a block, in which it could have an effect now.
 */
async function cancelRemoved(ctx: ExchangeContext, payment: PaymentRow): Promise<PreparedPayment | null> {
  const gateway = ctx.chains[payment.asset];
  const [chain] = await ctx.db.select().from(chainStates).where(eq(chainStates.asset, payment.asset));
  if (!chain || chain.height === null || payment.nonce === null) return null;
  const mined = await gateway.getMinedNonce(chain.height);
  if (mined === null || mined > payment.nonce) return null;
  const cancellation = await gateway.prepareCancellation(requirePrepared(payment));
  if (cancellation) await ctx.db.update(payments).set({ cancellation }).where(isUnchanged(payment));
  return cancellation;
}
