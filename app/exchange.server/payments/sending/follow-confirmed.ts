import { and, asc, eq, isNotNull, isNull, notInArray, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { earlierOf } from "../../../lib/durations";
import { mapInBatches } from "../../../lib/map-in-batches";
import { clearAlert, hasAlert } from "../../alerts/alerts";
import type { PaymentState, PreparedPayment } from "../../chains/gateway";
import type { ExchangeContext, RunningContext } from "../../context";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { describeError } from "../../describe-error";
import { external, payableTo, post } from "../../ledger/ledger";
import { failPayment, planReplacement } from "../../orders/payouts-and-refunds/plan-payments";
import { lockOrderRow } from "../../orders/transition";
import { perContext } from "../../per-context";
import { switchOff } from "../../switches/switches";
import { findConfirmedVersion, paymentsPerLookUp } from "../find-version";
import { alertPayment, notParked, toParkedAction } from "../parked/park";
import { withoutRaw } from "../require-prepared";
import { sendCancellation } from "./cancellations";
import { resendPayment } from "./resend";

/** Confirmed payments looked up per run, those looked up longest ago first. */
const batch = 50;
/** How long a payment may be missing before an operator is alerted: a node may lag for a moment. */
const alertAfterMs = 10_000;

/**
 * For each asset, the payments that were found in a block at this head. A chain's contents change only when its head
 * does, so the payments are not looked up again until then.
 */
const lastFound = perContext(() => new Map<AssetSymbol, { head: string; ids: Set<string> }>());

/**
 * Step 4: follows confirmed payments until reorgs can no longer remove them. If a payment has left the chain, the same
 * bytes are sent again, because later payments have to wait for its nonce. If the network refuses it now, it is parked
 * and its nonce is freed. If it stays missing, new swaps stop and an operator is alerted.
 */
export async function followConfirmed(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  const found = await readFound(ctx, asset);
  const isDue = or(notInArray(payments.id, [...found]), isNotNull(payments.missingSince), isNotNull(payments.parkedAt));
  const due = await ctx.db
    .select()
    .from(payments)
    .where(and(eq(payments.asset, asset), eq(payments.status, "confirmed"), isNull(payments.settledAt), isDue))
    .orderBy(
      sql`${payments.followedAt} asc nulls first`,
      asc(payments.nonce),
      asc(payments.createdAt),
      asc(payments.id),
    )
    .limit(batch);
  // The time of the last lookup decides whose turn it is, which matters only if more payments are due than one batch.
  const hasMore = due.length === batch;
  const lookedUp = await mapInBatches(due, paymentsPerLookUp, async (payment) => ({
    payment,
    result: await findConfirmedVersion(ctx, payment).catch((error: unknown) => ({ error })),
  }));
  for (const { payment, result } of lookedUp) {
    try {
      if ("error" in result) throw result.error;
      await followOne(ctx, payment, { ...result, hasMore });
      if (result.state.kind === "in_block" && !result.state.disputed) found.add(payment.id);
    } catch (error) {
      ctx.log.error({ payment: payment.id, asset, error: describeError(error) }, "a payment could not be followed");
    }
  }
}

/** The ids of the payments that were found at the chain's current head; none if the head cannot be read. */
async function readFound(ctx: RunningContext, asset: AssetSymbol): Promise<Set<string>> {
  const head = await ctx.chains[asset].readHead().catch(() => null);
  if (head === null) return new Set();
  const known = lastFound(ctx).get(asset);
  if (known?.head === head) return known.ids;
  const ids = new Set<string>();
  lastFound(ctx).set(asset, { head, ids });
  return ids;
}

async function followOne(
  ctx: RunningContext,
  payment: PaymentRow,
  { version, state, hasMore }: { version: PreparedPayment; state: PaymentState; hasMore: boolean },
): Promise<void> {
  switch (state.kind) {
    case "in_block":
      return markFound(ctx, payment, { version, confirmations: state.confirmations, hasMore });
    case "unknown":
      return markMissing(ctx, payment, hasMore);
    case "reverted":
    case "impossible":
      return reversePayment(ctx, payment);
  }
}

async function markFound(
  ctx: RunningContext,
  payment: PaymentRow,
  { version, confirmations, hasMore }: { version: PreparedPayment; confirmations: number; hasMore: boolean },
): Promise<void> {
  const isSettled = confirmations >= ctx.chains[payment.asset].settledConfirmations;
  const wasAway = payment.missingSince !== null || payment.parkedAt !== null;
  if (!isSettled && !wasAway && !hasMore && version.hash === payment.hash) return;
  const at = await ctx.clock.now(ctx.db);
  await ctx.db
    .update(payments)
    .set({
      hash: version.hash,
      followedAt: at,
      missingSince: null,
      ...notParked,
      ...(isSettled && { settledAt: at }),
      ...(isSettled && payment.nonce === null && { prepared: withoutRaw(payments.prepared) }),
    })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "confirmed")));
  if (!wasAway) return;
  ctx.log.warn({ payment: payment.id, hash: version.hash }, "a missing payment is in a block again");
  await clearAlert(ctx.db, `payment:${payment.id}`);
}

async function markMissing(ctx: RunningContext, payment: PaymentRow, hasMore: boolean): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  // A time in the future is left over from when the database's clock was ahead (T61), and must not delay the stop.
  const since = earlierOf(payment.missingSince, at);
  if (since === at || hasMore) {
    await ctx.db
      .update(payments)
      .set({ followedAt: at, missingSince: since })
      .where(and(eq(payments.id, payment.id), eq(payments.status, "confirmed")));
  }
  if (at.getTime() - since.getTime() >= alertAfterMs) await alertMissing(ctx, payment, at);
  if (payment.cancellation === null) return resendPayment(ctx, payment);
  await sendCancellation(ctx, payment, payment.cancellation);
}

/** What alerts say about a confirmed payment that a reorg has removed. */
const hasLeft = "is no longer on the chain";
const resume = 'Once it is paid or refunded, run "operate on swaps".';

async function alertMissing(ctx: ExchangeContext, payment: PaymentRow, at: Date): Promise<void> {
  const reason = `A reorg removed the confirmed payment ${payment.id} (${payment.hash}).`;
  const nextStep =
    payment.cancellation === null
      ? "It is being sent again."
      : `Since then ${payment.lastError} It is being cancelled, and will be due again once the chain can no longer accept it.`;
  const action = `Wait until this alert ends or changes. ${resume}`;
  // Failing to send it again may already have raised a more detailed alert.
  if (payment.cancellation !== null || !(await hasAlert(ctx.db, `payment:${payment.id}`)))
    await alertPayment(ctx.db, ctx, payment, { problem: hasLeft, reason: `${reason} ${nextStep}`, action, at });
  const stop = { cause: `payment:${payment.id}`, reason: `${reason} ${resume}`, at };
  if (await switchOff(ctx.db, "swaps", stop))
    ctx.log.fatal({ payment: payment.id, reason: stop.reason }, "new swaps are stopped");
}

/**
 * Reverses a confirmed payment that certainly can no longer be on the chain: it is owed again. Its replacement is
 * planned but parked, because only an operator can find out how that happened.
 */
async function reversePayment(ctx: ExchangeContext, payment: PaymentRow): Promise<void> {
  const reason = "A reorg permanently removed it after it was confirmed.";
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, payment.orderId);
    const at = await ctx.clock.now(tx);
    if (!(await failPayment(tx, payment, reason, at))) return;
    await post(tx, {
      transfers: [
        {
          asset: payment.asset,
          from: external,
          to: payableTo(order.id),
          amount: payment.amount,
          kind: "paid_undone",
        },
      ],
      orderId: order.id,
      at,
    });
    const id = await planReplacement(tx, ctx, payment, { prepareAfter: null, at });
    await tx.update(payments).set({ parkedAt: at, lastError: reason }).where(eq(payments.id, id));
    const action = `Find out which transaction took its place. If that paid the receiver, run "operate mark-paid ${id} HASH" with its hash, and nothing else. If it did not: ${toParkedAction({ ...payment, id })} ${resume}`;
    await alertPayment(tx, ctx, { ...payment, id }, { problem: hasLeft, reason, action, at });
    await switchOff(tx, "swaps", {
      cause: `payment:${payment.id}`,
      reason: `Payment ${payment.id}: ${reason} ${resume}`,
      at,
    });
  });
}
