import { and, asc, eq, lt, lte, or, sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../../lib/assets";
import { addMs, minuteMs } from "../../../lib/durations";
import { listPostponed, raiseAlert } from "../../alerts/alerts";
import type { ExchangeContext, RunningContext } from "../../context";
import { type Database, whichExist } from "../../db/database";
import { chainStates } from "../../db/schema/chains";
import { ledgerAccounts } from "../../db/schema/ledger";
import { type OrderRow, orders } from "../../db/schema/orders";
import { describeError } from "../../describe-error";
import { InsufficientBalanceError } from "../../ledger/ledger";
import { addFunds } from "../../operator-advice";
import { closeQuote, expireQuotes, selectOverdueQuotes } from "../../pricing/quotes";
import {
  holdIneligibleOrders,
  releaseEligibleOrders,
  selectIneligiblePayouts,
  selectReleasable,
} from "../holds/owner-eligibility";
import { isReserveOfOrder } from "../liquidity";
import { notifyPaymentGone } from "../notify-owner";
import { paymentDeadline, paymentDeadlineSql } from "../payment-deadline";
import { releaseReserve } from "../payouts-and-refunds/fill";
import { planPostponedRefunds, selectPostponedRefunds } from "../payouts-and-refunds/postponed-refunds";
import { refundOrder } from "../payouts-and-refunds/refund";
import { hasSeenDeposit } from "../queries";
import { runOrderStep } from "../run-order-step";
import { lockOrderRow, touchOrder, transition } from "../transition";
import { reportUncredited, selectCreditedSince, selectUncredited } from "./report-uncredited";

const failure = "an order's deadline could not be applied";

/** Orders handled in one run; the next run handles the rest. */
const batch = 100;

/** How long an order that could not be refunded waits for the next try. */
const refundRetryMs = minuteMs;

/** Job: handles the due deadlines of quotes and orders. One statement finds all of them. */
export async function applyDeadlines(ctx: RunningContext): Promise<void> {
  const { db } = ctx;
  const now = await ctx.clock.now(db);
  const due = await whichExist(db, {
    quotes: selectOverdueQuotes(db, now),
    unpaid: selectUnpaid(db),
    overdue: selectOverdue(db, now),
    // A refund costs at least what is configured.
    postponedRefunds: selectPostponedRefunds(db, ctx.config.refundCost),
    staleReserves: selectStaleReserves(db, now),
    ineligible: selectIneligiblePayouts(db),
    releasable: selectReleasable(db),
    uncredited: selectUncredited(db, now),
    creditedSince: selectCreditedSince(db),
  });
  if (due.quotes) await expireQuotes(ctx);
  if (due.unpaid) await expireOrders(ctx);
  if (due.overdue) await refundOverdue(ctx);
  if (due.postponedRefunds) await planPostponedRefunds(ctx);
  if (due.staleReserves) await releaseStaleReserves(ctx);
  if (due.ineligible) await holdIneligibleOrders(ctx);
  if (due.releasable) await releaseEligibleOrders(ctx);
  if (due.uncredited || due.creditedSince) await reportUncredited(ctx);
}

/**
 * Expires orders for which no deposit has been seen. An order expires only after the scanner has
 * read a block later than its payment deadline: if our service was down, a payment that was made on
 * time still gets its locked rate. A payment in the mempool keeps an order open longer, for at most the length of its
 * lock; such a payment is never credited before it is in a block (T43).
 */
export async function expireOrders(ctx: RunningContext): Promise<number> {
  let expired = 0;
  const unpaid = await selectUnpaid(ctx.db);
  for (const asset of assetSymbols) {
    const due = unpaid.filter((order) => order.asset === asset);
    const through = due[0]?.through;
    if (!through) continue;
    const kept = await findKept(ctx, asset, due, through);
    for (const { id } of due.filter((order) => !kept.has(order.fundingAddress)).slice(0, batch)) {
      await runOrderStep(ctx, { orderId: id, failure }, async () => {
        if (await expireOrder(ctx, id, through)) expired += 1;
      });
    }
  }
  return expired;
}

/** The orders whose chain was read past their payment deadline without a deposit. */
function selectUnpaid(db: Database) {
  return db
    .select({
      id: orders.id,
      asset: orders.sourceAsset,
      fundingAddress: orders.fundingAddress,
      expiresAt: orders.expiresAt,
      through: chainStates.scannedThrough,
    })
    .from(orders)
    .innerJoin(chainStates, eq(chainStates.asset, orders.sourceAsset))
    .where(and(eq(orders.status, "awaiting_deposit"), isReadThrough));
}

/** Whether an order's chain was read past the order's payment deadline, so that all deposits made in time are known. */
const isReadThrough = and(eq(chainStates.synced, true), lt(paymentDeadlineSql, chainStates.scannedThrough));

/** The funding addresses with a payment in the mempool, of orders that may still be kept open for one. */
async function findKept(
  ctx: RunningContext,
  asset: AssetSymbol,
  due: readonly { fundingAddress: string; expiresAt: Date }[],
  through: Date,
): Promise<Set<string>> {
  const oldest = through.getTime() - 2 * ctx.config.graceMs - ctx.config.lockTtlMs;
  const addresses = due.filter(({ expiresAt }) => expiresAt.getTime() > oldest).map((order) => order.fundingAddress);
  if (addresses.length === 0) return new Set();
  try {
    return await ctx.chains[asset].findPending(addresses);
  } catch (error) {
    // Not every node shows pending transactions. Without them, an order expires on time.
    ctx.log.debug({ asset, error: describeError(error) }, "the nodes do not show their pending transactions");
    return new Set();
  }
}

async function expireOrder(ctx: ExchangeContext, orderId: string, scannedThrough: Date): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, orderId);
    const at = await ctx.clock.now(tx);
    if (order.status !== "awaiting_deposit" || paymentDeadline(order) >= scannedThrough || at <= paymentDeadline(order))
      return false;
    if (await hasSeenDeposit(tx, orderId)) return false;
    await releaseReserve(tx, order, at);
    await closeQuote(tx, order.quoteId, "expired", at);
    const expired = await transition(tx, order, "expired", { kind: "expired", at });
    await notifyPaymentGone(tx, ctx, expired);
    return true;
  });
}

/**
 * Refunds orders whose decision or hold deadline has passed. An order whose refund fails waits for an
 * operator, and for the next try, without delaying the others.
 */
export async function refundOverdue(ctx: ExchangeContext): Promise<number> {
  const now = await ctx.clock.now(ctx.db);
  const due = await selectOverdue(ctx.db, now).orderBy(asc(orders.updatedAt), asc(orders.id));
  const postponed = await listPostponed(ctx.db, "order:", { now, longestMs: refundRetryMs });
  let refunded = 0;
  for (const { id } of due.filter((order) => !postponed.has(`order:${order.id}`)).slice(0, batch)) {
    try {
      if (await refundIfOverdue(ctx, id)) refunded += 1;
    } catch (error) {
      ctx.log.error({ order: id, error: describeError(error) }, "an overdue order could not be refunded");
      const at = await ctx.clock.now(ctx.db);
      const isShort = error instanceof InsufficientBalanceError;
      const reason = isShort ? `The order cannot be refunded: ${error.message}.` : "The order cannot be refunded.";
      const action = isShort
        ? addFunds
        : "Look for the order's ID in the log. If its payment may have been made, deal with the alerts about unknown payments. The refund is tried again every minute.";
      const retryAt = addMs(at, refundRetryMs);
      await raiseAlert(ctx.db, ctx, { subject: `order:${id}`, orderId: id, reason, action, at, retryAt });
    }
  }
  return refunded;
}

const selectOverdue = (db: Database, now: Date) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(
      or(
        and(eq(orders.status, "needs_decision"), lte(orders.decisionDeadline, now)),
        and(eq(orders.status, "on_hold"), lte(orders.holdDeadline, now)),
      ),
    );

async function refundIfOverdue(ctx: ExchangeContext, id: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, id);
    const at = await ctx.clock.now(tx);
    if (!isOverdue(order, at)) return false;
    await refundOrder(tx, ctx, order, { by: "clock", at });
    return true;
  });
}

/** An undecided order, even one on hold. */
const isUndecided = or(
  eq(orders.status, "needs_decision"),
  and(eq(orders.status, "on_hold"), eq(orders.heldFrom, "needs_decision")),
);

/** The undecided orders with a reserve whose payment deadline has passed, by our clock and on their chain. */
const selectStaleReserves = (db: Database, now: Date) =>
  db
    .select({ id: orders.id, through: chainStates.scannedThrough })
    .from(orders)
    .innerJoin(chainStates, eq(chainStates.asset, orders.sourceAsset))
    .innerJoin(ledgerAccounts, isReserveOfOrder)
    .where(and(isUndecided, sql`${paymentDeadlineSql} < ${now.toISOString()}::timestamptz`, isReadThrough));

function isOverdue(order: OrderRow, at: Date): boolean {
  if (order.status === "needs_decision") return order.decisionDeadline !== null && order.decisionDeadline <= at;
  return order.status === "on_hold" && order.holdDeadline !== null && order.holdDeadline <= at;
}

/**
 * Releases the reserve of undecided orders past their payment deadline: their locked rate is gone. As with expiry, the
 * scanner must have read a later block: a payment made in time may top the order up, however late it is read.
 */
export async function releaseStaleReserves(ctx: ExchangeContext): Promise<void> {
  const due = await selectStaleReserves(ctx.db, await ctx.clock.now(ctx.db)).limit(batch);
  for (const { id, through } of due) {
    await runOrderStep(ctx, { orderId: id, failure }, () =>
      ctx.db.transaction(async (tx) => {
        const order = await lockOrderRow(tx, id);
        const at = await ctx.clock.now(tx);
        const deadline = paymentDeadline(order);
        if ((order.heldFrom ?? order.status) !== "needs_decision") return;
        if (at <= deadline || through === null || through <= deadline) return;
        await releaseReserve(tx, order, at);
        // The allowed decisions change at the payment deadline, so watchers need the order again.
        await touchOrder(tx, order.id, at);
      }),
    );
  }
}
