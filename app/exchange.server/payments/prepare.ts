import { and, asc, eq, isNull, lte, ne, not, or, type SQL } from "drizzle-orm";
import { type AssetSymbol, otherAsset } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import { FragmentedFundsError, PaymentRefusedError, PaymentsWaitError, type PreparedPayment } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { describeError } from "../describe-error";
import { invariant } from "../errors";
import { InsufficientBalanceError } from "../ledger/ledger";
import { ownerMaySwap } from "../orders/owner-check";
import type { PaymentRow } from "../orders/plan-payments";
import { recheckDeposits } from "../orders/recheck-deposits";
import { insertEvent, lockOrder, touchOrder } from "../orders/transition";
import { listOpenDoubts } from "../orders/unknown-payments";
import { clearAlert, raiseAlert } from "../switches/alerts";
import { getSwitchReason } from "../switches/switches";
import { checkHistory, haltForNonce, parkPaidBefore } from "./check-history";
import { startConsolidation } from "./consolidate";
import { mayPark, toCause } from "./may-park";
import { chooseNonce, storeBaseline } from "./nonce";
import { alertPayment, failPayout, isUnchanged, parkPayment } from "./outcomes";
import { getNewestConsolidation, hasUnsent } from "./unsent";

/** The longest wait between two attempts to prepare a payment. */
const maxRetryDelayMs = 60_000;
/** Attempts to prepare a payment before an operator is alerted. With the waits between them they take four minutes. */
const alertAfterAttempts = 10;

/**
 * Step 1, planned → prepared: prepares the next due payment of a chain. The chain is called outside
 * any transaction, so that no lock is held while a node is slow; what was built is then stored if
 * nothing has changed since, and dropped unsent otherwise.
 *
 * @returns `prepared` once the signed bytes are committed; `failed` if the payment could not be
 *   prepared and another one may be due; `none` if no payment can be prepared now
 */
export async function prepareNext(ctx: ExchangeContext, asset: AssetSymbol): Promise<"prepared" | "failed" | "none"> {
  const gateway = ctx.chains[asset];
  if ((await getSwitchReason(ctx.db, "payments")) !== null || (await hasUnsent(ctx.db, ctx, asset))) return "none";
  await parkPaidBefore(ctx, asset);
  const payment = await getNextPlanned(ctx.db, ctx, asset);
  if (!payment) {
    await parkForOwners(ctx, asset);
    return "none";
  }
  if (!(await ensureFunded(ctx, payment))) return "failed";
  // Before the stored nonces are read: a nonce that the chain knows was stored before it was sent.
  const chainNonce = await gateway.getNextNonce();
  const nonce = await chooseNonce(ctx.db, ctx, asset, chainNonce);
  if (nonce === "unexpected") {
    await haltForNonce(ctx, asset, chainNonce);
    return "none";
  }
  if (!(await ensurePastKnown(ctx, payment, nonce))) return "none";
  if (!(await ensureOtherChainKnown(ctx, payment))) return "failed";
  const consolidation = await getNewestConsolidation(ctx.db, asset);
  let prepared: PreparedPayment;
  try {
    const { id: paymentId, address: to, amount } = payment;
    prepared = await gateway.preparePayment({ paymentId, to, amount, nonce });
  } catch (error) {
    await recordFailure(ctx, payment, error);
    return "failed";
  }
  const isStored = await ctx.db.transaction((tx) =>
    storePrepared(tx, ctx, { payment, prepared, chainNonce, consolidation }),
  );
  return isStored ? "prepared" : "none";
}

/**
 * Compares what our signer has sent before this payment, unless we know all of it; false if the payment has to wait. If
 * the database has lost commits, by a restored backup or a failover, one of those transactions could be this very
 * payment, made once already. With nonces we know it if the nonce before is that of a payment of ours. If it is not,
 * everything before must be in blocks and be compared first. Without nonces, on MobileCoin, the wallet's newest payments
 * are compared each time.
 */
async function ensurePastKnown(ctx: ExchangeContext, payment: PaymentRow, nonce: number | null): Promise<boolean> {
  const { asset } = payment;
  if (nonce === 0 || (nonce !== null && (await isOurNonce(ctx, asset, nonce - 1)))) return true;
  // If it finds a payment that we do not know, it stops payments or parks this one. `storePrepared` checks for both.
  const { through, isComplete } = await checkHistory(ctx, asset, { isThorough: false });
  if (isComplete && nonce === null) return true;
  if (isComplete && (await ctx.chains[asset].getMinedNonce(through)) === nonce) {
    await endNonceGap(ctx, asset);
    return true;
  }
  ctx.log.warn({ asset, nonce, through }, "payments wait until the signer's unknown transactions have been compared");
  if (isComplete && nonce !== null) await alertToNonceGap(ctx, asset, nonce);
  return false;
}

/** How long payments may wait for unknown transactions of the signer before an operator is alerted. */
const nonceGapAlertMs = 10 * minuteMs;

/** Since when the payments of an asset have waited for a transaction of their signer that is in no block. */
const nonceGaps = new WeakMap<ExchangeContext, Map<AssetSymbol, Date>>();

/** The transaction before may never be in a block: it may have been dropped, or `accept-nonce` got too high a number. */
async function alertToNonceGap(ctx: ExchangeContext, asset: AssetSymbol, nonce: number): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const gaps = nonceGaps.get(ctx) ?? new Map<AssetSymbol, Date>();
  nonceGaps.set(ctx, gaps);
  const since = gaps.get(asset) ?? at;
  gaps.set(asset, since);
  if (at.getTime() - since.getTime() < nonceGapAlertMs) return;
  const reason = `All ${asset} payments wait for the transaction with nonce ${nonce - 1} of ${ctx.chains[asset].signer}, which is not in this database and in no block that enough nodes agree on. Raise its fee, or send another transaction with that nonce. If the number given to "operate accept-nonce" was too high, run it again with the right one.`;
  await raiseAlert(ctx.db, ctx, { subject: `nonce:${asset}`, orderId: null, reason, at, retryAt: null });
}

async function endNonceGap(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  nonceGaps.get(ctx)?.delete(asset);
  await clearAlert(ctx.db, `nonce:${asset}`);
}

/**
 * Compares what our wallet on the other chain has sent, before a payment that follows a decision; false if the payment
 * has to wait. If the database has lost commits, one of them may be the opposite decision, and the order may have been
 * paid on the other chain.
 */
async function ensureOtherChainKnown(ctx: ExchangeContext, payment: PaymentRow): Promise<boolean> {
  const [order] = await ctx.db
    .select({ decision: orders.decisionChoice })
    .from(orders)
    .where(eq(orders.id, payment.orderId));
  if (!order?.decision) return true;
  const other = otherAsset(payment.asset);
  let cause: unknown;
  try {
    // If it finds a payment that we do not know, it stops payments. `storePrepared` checks for that.
    if ((await checkHistory(ctx, other, { isThorough: false })).isComplete) return true;
  } catch (error) {
    cause = error;
  }
  const message = `the payments of our ${other} wallet cannot be compared with the database`;
  await recordFailure(ctx, payment, new PaymentsWaitError(message, { cause }));
  return false;
}

async function isOurNonce(ctx: ExchangeContext, asset: AssetSymbol, nonce: number): Promise<boolean> {
  const [payment] = await ctx.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.signer, ctx.chains[asset].signer), eq(payments.nonce, nonce)))
    .limit(1);
  return payment !== undefined;
}

/**
 * Checks that the deposits that the payment would be made from are still on the chain and can be collected. If not, the
 * payment waits. It is parked if one of them was already paid out: an operator decides whether the order gets more.
 */
async function ensureFunded(ctx: ExchangeContext, payment: PaymentRow): Promise<boolean> {
  try {
    const funding = await recheckDeposits(ctx, payment.orderId);
    if (funding === "funded") return await ensureCollectable(ctx, payment);
    const reason = "A deposit of the order is no longer on the chain.";
    if (funding === "lost") await parkPayment(ctx, payment, { reason: `${reason} It was already paid out.` });
    else await recordFailure(ctx, payment, new PaymentsWaitError(reason));
  } catch (error) {
    const message = "The deposits of the order cannot be looked up; the payment waits.";
    await recordFailure(ctx, payment, new PaymentsWaitError(message, { cause: error }));
  }
  return false;
}

/**
 * Checks that we can collect the order's deposits. If their funding address is on the token's blacklist, the payment is
 * parked: we would pay for coins that we can never move.
 */
async function ensureCollectable(ctx: ExchangeContext, payment: PaymentRow): Promise<boolean> {
  const [order] = await ctx.db
    .select({ asset: orders.sourceAsset, fundingAddress: orders.fundingAddress })
    .from(orders)
    .where(eq(orders.id, payment.orderId));
  invariant(order, "a payment belongs to an order");
  const blockReason = await ctx.chains[order.asset].getReceiverBlockReason(order.fundingAddress);
  if (blockReason === null) return true;
  const reason = `The deposit at ${order.fundingAddress} cannot be collected. ${blockReason}`;
  await parkPayment(ctx, payment, { reason });
  return false;
}

/**
 * Stores a prepared payment, if it is still the next one to send. False if anything has changed since
 * it was chosen: another process was faster, its order was held, or payments were switched off. What
 * was built is then dropped, unsent.
 */
async function storePrepared(
  tx: Database,
  ctx: ExchangeContext,
  built: {
    payment: PaymentRow;
    prepared: PreparedPayment;
    chainNonce: number | null;
    /** The newest one when it was built. */
    consolidation: string | null;
  },
): Promise<boolean> {
  const { payment, prepared, chainNonce, consolidation } = built;
  const { asset } = payment;
  const { signer } = ctx.chains[asset];
  // One payment per signer at a time, so that nonces stay consecutive and no input is used twice.
  await lockFor(tx, `signer:${signer}`);
  if ((await getSwitchReason(tx, "payments")) !== null || (await hasUnsent(tx, ctx, asset))) return false;
  if ((await getNewestConsolidation(tx, asset)) !== consolidation) return false;
  const order = await lockOrder(tx, payment.orderId);
  if (order.status === "on_hold") return false;
  if ((await getNextPlanned(tx, ctx, asset, payment.id)) === null) return false;
  // The next run parks it.
  if ((await listOpenDoubts(tx, payment.id)).length > 0) return false;
  if ((await chooseNonce(tx, ctx, asset, chainNonce)) !== prepared.nonce) return false;
  const at = await ctx.clock.now(tx);
  const stored = await tx
    .update(payments)
    .set({
      status: "prepared",
      signer,
      nonce: prepared.nonce,
      hash: prepared.hash,
      prepared,
      attempts: payment.attempts + 1,
      lastError: null,
      notBefore: null,
      updatedAt: at,
    })
    .where(and(isUnchanged(payment), eq(payments.address, payment.address), eq(payments.amount, payment.amount)))
    .returning({ id: payments.id });
  if (stored.length === 0) return false;
  await storeBaseline(tx, asset, prepared.nonce);
  await clearAlert(tx, `nonce:${asset}`);
  await insertEvent(tx, payment.orderId, {
    kind: "payment_prepared",
    data: { payment: payment.id, hash: prepared.hash },
    at,
  });
  await touchOrder(tx, payment.orderId, at);
  return true;
}

/**
 * Parks payouts of completed orders whose owner may no longer swap. A reorganisation removed their first payout, and
 * these orders cannot be held any more: an operator refunds them, or retries once the owner is approved again.
 */
async function parkForOwners(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const isOwnersPayout = and(eq(payments.purpose, "payout"), eq(orders.status, "completed"), not(ownerMaySwap));
  const rows = await selectPlanned(ctx.db, asset, isOwnersPayout);
  for (const { payment } of rows) {
    await parkPayment(ctx, payment, { reason: "The owner of the order is blocked or not verified: refund the order." });
  }
}

/** Nothing was built. Fails a payout that was refused for good; schedules a retry for anything else. */
async function recordFailure(ctx: ExchangeContext, payment: PaymentRow, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message.slice(0, 500) : "unknown";
  ctx.log.error(
    { payment: payment.id, asset: payment.asset, error: describeError(error) },
    "a payment could not be prepared",
  );
  if (error instanceof PaymentRefusedError) {
    await giveUp(ctx, payment, message);
    return;
  }
  if (error instanceof FragmentedFundsError) await startConsolidation(ctx, payment.asset);
  const at = await ctx.clock.now(ctx.db);
  const delayMs = Math.min(maxRetryDelayMs, 1_000 * 2 ** Math.min(payment.attempts, 6));
  const failed = await ctx.db
    .update(payments)
    .set({
      attempts: payment.attempts + 1,
      lastError: message,
      notBefore: new Date(at.getTime() + delayMs),
      updatedAt: at,
    })
    .where(and(eq(payments.id, payment.id), eq(payments.status, "planned")))
    .returning();
  for (const row of failed) if (row.attempts >= alertAfterAttempts) await alertOrPark(ctx, row, error);
}

/**
 * Alerts an operator to a payment that could not be prepared for some minutes, and parks it unless the cause would
 * affect any other payment too: then it is retried automatically.
 */
async function alertOrPark(ctx: ExchangeContext, payment: PaymentRow, error: unknown): Promise<void> {
  const reason = `it cannot be prepared (${toCause(error)}).`;
  const isForAll = error instanceof PaymentsWaitError || error instanceof FragmentedFundsError;
  if (!isForAll && (await mayPark(ctx, payment.asset))) {
    await parkPayment(ctx, payment, { reason });
    return;
  }
  const at = await ctx.clock.now(ctx.db);
  await alertPayment(ctx.db, ctx, payment, { reason: `${reason} We keep trying.`, at });
}

/**
 * Ends a payment that the chain refuses for certain. A payout asks its customer for a decision; if
 * the fill cannot be undone because the treasury lacks the funds, or for a refund, an operator decides.
 */
async function giveUp(ctx: ExchangeContext, payment: PaymentRow, reason: string): Promise<void> {
  if (payment.purpose === "payout") {
    try {
      await failPayout(ctx, payment, reason);
      return;
    } catch (error) {
      if (!(error instanceof InsufficientBalanceError)) throw error;
      await parkPayment(ctx, payment, { reason: `${reason} It cannot be undone either: ${error.message}.` });
      return;
    }
  }
  await parkPayment(ctx, payment, { reason });
}

/** The oldest payout that is due, else the oldest refund; or the payment with `id` if it is due. */
async function getNextPlanned(
  tx: Database,
  ctx: ExchangeContext,
  asset: AssetSymbol,
  id?: string,
): Promise<PaymentRow | null> {
  const now = await ctx.clock.now(tx);
  const isDue = and(
    id === undefined ? undefined : eq(payments.id, id),
    ne(orders.status, "on_hold"),
    // A payout waits if its owner was blocked since the fill; `holdOrdersOfBarredOwners` then holds the order.
    or(eq(payments.purpose, "refund"), ownerMaySwap),
    or(isNull(payments.notBefore), lte(payments.notBefore, now)),
  );
  const [row] = await selectPlanned(tx, asset, isDue)
    // Payouts first: refunds of an attacker's deposits must not delay what customers wait for.
    .orderBy(asc(payments.purpose), asc(payments.createdAt), asc(payments.id))
    .limit(1);
  return row?.payment ?? null;
}

/** Selects planned payments that are not parked, with the conditions on them, their orders and owners. */
function selectPlanned(tx: Database, asset: AssetSymbol, condition: SQL | undefined) {
  return tx
    .select({ payment: payments })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(and(eq(payments.asset, asset), eq(payments.status, "planned"), isNull(payments.parkedAt), condition));
}
