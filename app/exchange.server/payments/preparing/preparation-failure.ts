import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../../lib/assets";
import { addMs } from "../../../lib/durations";
import { raiseAlert } from "../../alerts/alerts";
import { FragmentedFundsError, PaymentRefusedError, PaymentsWaitError } from "../../chains/gateway";
import type { ExchangeContext, RunningContext } from "../../context";
import type { Database } from "../../db/database";
import { longestRetryMs, prepareAfter } from "../../db/not-before";
import { alerts } from "../../db/schema/alerts";
import { orders } from "../../db/schema/orders";
import { isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { cutToFirstLine, describeError, toFirstLine } from "../../describe-error";
import { InsufficientBalanceError } from "../../ledger/ledger";
import { addFunds, findPaymentBlock } from "../../operator-advice";
import { consolidateForPayment } from "../consolidate";
import { mayPark } from "../parked/may-park";
import { alertPayment, parkPayment, toLastResort, toParkedAction } from "../parked/park";
import { failPayout } from "../sending/outcomes";

/** Attempts to prepare a payment before an operator is alerted. With the waits between them they take four minutes. */
const alertAfterAttempts = 10;

/**
 * Handles a payment that could not be built: fails a payout that was permanently refused, and retries anything else
 * later.
 */
export async function handlePreparationFailure(
  ctx: RunningContext,
  payment: PaymentRow,
  error: unknown,
): Promise<void> {
  logFailure(ctx, payment, error);
  if (error instanceof PaymentRefusedError) {
    await giveUp(ctx, payment, toFirstLine(error));
    return;
  }
  if (error instanceof FragmentedFundsError) await consolidateForPayment(ctx, payment.asset);
  const failures = await countFailures(ctx, payment, error);
  const failed = await storeAttempt(ctx, payment, { failures, message: toFirstLine(error) });
  if (failed) await alertOrPark(ctx, failed, error);
}

/**
 * Postpones a payment that has to wait because of its order, which does not affect other payments. If that lasts, an
 * operator is alerted and told to take the `action`.
 */
export async function postponePayment(
  ctx: RunningContext,
  payment: PaymentRow,
  { reason, action, cause }: { reason: string; action: string; cause?: unknown },
): Promise<void> {
  logFailure(ctx, payment, new Error(reason, { cause }));
  const message = cutToFirstLine(reason);
  const postponed = await storeAttempt(ctx, payment, { failures: payment.failures, message });
  if (!postponed) return;
  const at = await ctx.clock.now(ctx.db);
  await alertPayment(ctx.db, ctx, postponed, {
    reason: `it cannot be prepared (${message}). We keep trying.`,
    action,
    at,
  });
}

function logFailure(ctx: RunningContext, { id, asset }: PaymentRow, error: unknown): void {
  ctx.log.error({ payment: id, asset, error: describeError(error) }, "a payment could not be prepared");
}

/**
 * Stores that a payment could not be prepared, and when it is tried again.
 * @returns the payment, if an operator should be alerted after so many attempts
 */
async function storeAttempt(
  ctx: RunningContext,
  payment: PaymentRow,
  { failures, message }: { failures: number; message: string },
): Promise<PaymentRow | null> {
  const attempts = payment.attempts + 1;
  const at = await ctx.clock.now(ctx.db);
  const delayMs = Math.min(longestRetryMs, 1_000 * 2 ** Math.min(payment.attempts, 6));
  const failed = await ctx.db
    .update(payments)
    .set({
      attempts,
      failures,
      lastError: message,
      ...prepareAfter(addMs(at, delayMs)),
      updatedAt: at,
    })
    // Skips a payment that has been parked, re-addressed or retried since: this must not end a wait (T31).
    .where(and(isUnchanged(payment), isNull(payments.parkedAt), eq(payments.attempts, payment.attempts)))
    .returning();
  return failed.find((row) => row.attempts >= alertAfterAttempts) ?? null;
}

const isWait = (error: unknown): boolean => error instanceof PaymentsWaitError || error instanceof FragmentedFundsError;

/**
 * How often the payment itself has failed. Waiting does not count, so that a payment still has all its attempts after
 * an outage, which usually ends with other errors.
 */
async function countFailures(ctx: RunningContext, payment: PaymentRow, error: unknown): Promise<number> {
  if (isWait(error)) return payment.failures;
  if (payment.attempts + 1 >= alertAfterAttempts && !(await mayPark(ctx, payment.asset))) return 0;
  return payment.failures + 1;
}

/**
 * Alerts an operator to a payment that could not be prepared for some minutes. Parks it if it has failed often enough
 * for a cause that would not affect other payments; otherwise it is retried automatically.
 */
async function alertOrPark(ctx: ExchangeContext, payment: PaymentRow, error: unknown): Promise<void> {
  const { asset } = payment;
  const cause = `cannot be prepared (${toFirstLine(error)}).`;
  if (isWait(error) || payment.failures === 0)
    return alertToAll(ctx, asset, { cause, action: toWaitAction(error, asset) });
  if (payment.failures < alertAfterAttempts) return;
  const collect = asset === "USDT" ? "Collect the deposits (docs/operating.md). " : "";
  const action = `Is there too little ${asset} in the wallet? ${collect}${addFunds} ${toParkedAction(payment)}`;
  await parkPayment(ctx, payment, { reason: `it ${cause}`, action });
}

const allOf = (asset: AssetSymbol) => `unpayable:${asset}` as const;

/**
 * One alert for all payments of an asset, because they wait for the same cause. It ends when one of them is prepared.
 */
async function alertToAll(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  { cause, action }: { cause: string; action: string },
): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const reason = `Payments of ${asset} ${cause} All of them wait, and we keep trying.`;
  await raiseAlert(ctx.db, ctx, { subject: allOf(asset), reason, action, at });
}

function toWaitAction(error: unknown, asset: AssetSymbol): string {
  if (error instanceof PaymentsWaitError) return error.action;
  if (error instanceof FragmentedFundsError) return "Wait until the wallet's outputs are merged.";
  return findPaymentBlock(asset);
}

/** The subjects of alerts that end when a payment of an asset is prepared. */
export const toWaitSubjects = (asset: AssetSymbol) => [allOf(asset), `nonce:${asset}`];

/**
 * Ends the alerts about all payments of an asset once none is waiting, because they were made by hand, held or undone.
 */
export async function endIdleWaits(db: Database): Promise<void> {
  const isWaiting = sql`exists (select from ${payments} join ${orders} on ${orders.id} = ${payments.orderId}
     where ${alerts.subject} in ('unpayable:' || ${payments.asset}, 'nonce:' || ${payments.asset}) and ${payments.status} = 'planned'
       and ${payments.parkedAt} is null and ${orders.status} <> 'on_hold')`;
  await db
    .delete(alerts)
    .where(and(inArray(alerts.subject, assetSymbols.flatMap(toWaitSubjects)), sql`not ${isWaiting}`));
}

/**
 * Ends a payment that the chain is certain to refuse. For a payout, the customer is asked for a decision. An operator
 * decides about a refund, and about a payout whose order is completed or whose fill cannot be undone because the
 * treasury lacks the funds.
 */
async function giveUp(ctx: ExchangeContext, payment: PaymentRow, reason: string): Promise<void> {
  if (payment.purpose === "payout") {
    try {
      if (await failPayout(ctx, payment, reason)) return;
    } catch (error) {
      if (!(error instanceof InsufficientBalanceError)) throw error;
      const action = `${addFunds} Then run "operate refund ${payment.orderId}".`;
      await parkPayment(ctx, payment, { reason: `${reason} It cannot be undone either: ${error.message}.`, action });
      return;
    }
  }
  const action = `Ask its owner to save another address. Then run "operate readdress ${payment.id} ADDRESS". Its owner can't do that if the account is blocked or deleted. ${toLastResort(payment)}`;
  await parkPayment(ctx, payment, { reason, action });
}
