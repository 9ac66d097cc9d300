import { and, asc, eq, gt, isNull, ne, not, or, type SQL } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { minuteMs } from "../../../lib/durations";
import { clearAlert } from "../../alerts/alerts";
import { PaymentsWaitError, type PreparedPayment } from "../../chains/gateway";
import type { ExchangeContext, RunningContext } from "../../context";
import { type Database, lockFor } from "../../db/database";
import { isDueToPrepare, noTime } from "../../db/not-before";
import { accounts } from "../../db/schema/accounts";
import { orders } from "../../db/schema/orders";
import { isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { findPaymentBlock } from "../../operator-advice";
import { ownerMaySwap } from "../../orders/holds/owner-check";
import { lockOrderRow, recordEvent } from "../../orders/transition";
import { getSwitchedOff, lockSwitches } from "../../switches/switches";
import { rememberPrepared, stopIfCommitsAreLost } from "../history/lost-commits";
import { parkPossibleDuplicates } from "../history/possible-duplicates";
import { stopForNonce } from "../history/stop";
import { listUnresolvedDuplicates } from "../history/unknown-payments";
import { chooseNonce, storeBaseline } from "../nonce";
import { parkPayment } from "../parked/park";
import { digestSigned, hasUnsent, sumOutgoing } from "../unsent";
import { ensureFunded } from "./ensure-funded";
import { ensureOtherChainCompared, ensureSignerHistoryCompared } from "./ensure-history-compared";
import { handlePreparationFailure, toWaitSubjects } from "./preparation-failure";

/** If it takes longer to store a payment, everything that the payment depends on is looked up again. */
const maxLookupAgeMs = 2 * minuteMs;

/**
 * Step 1, planned → prepared: prepares the next due payment of a chain. The chain is called outside
 * any transaction, so that no lock is held while a node is slow; what was built is then stored if nothing has changed
 * since, or else dropped unsent.
 *
 * @returns `prepared` once the signed bytes are committed; `failed` if the payment could not be
 *   prepared and another one may be due; `none` if no payment can be prepared now
 */
export async function prepareNext(ctx: RunningContext, asset: AssetSymbol): Promise<"prepared" | "failed" | "none"> {
  const gateway = ctx.chains[asset];
  if ((await getSwitchedOff(ctx.db)).payments || (await hasUnsent(ctx.db, ctx, asset))) return "none";
  await parkPossibleDuplicates(ctx, asset);
  const payment = await getNextPlanned(ctx.db, ctx, asset);
  if (!payment) {
    await parkForOwners(ctx, asset);
    return "none";
  }
  const lookedUp = { at: await ctx.clock.now(ctx.db), monotonic: performance.now() };
  if (!(await ensureFunded(ctx, payment))) return "failed";
  // Read before the stored nonces: every nonce that the chain knows was stored before it was sent.
  const chainNonce = await gateway.getNextNonce();
  const nonce = await chooseNonce(ctx.db, ctx, asset, chainNonce);
  if (nonce === "unexpected") {
    await stopForNonce(ctx, asset, chainNonce);
    return "none";
  }
  if (!(await ensureSignerHistoryCompared(ctx, payment, nonce))) return "none";
  if (!(await ensureOtherChainCompared(ctx, payment))) return "failed";
  const signed = nonce === null ? await digestSigned(ctx.db, asset) : null;
  const outgoing = nonce === null ? 0n : await sumOutgoing(ctx.db, gateway.signer);
  let prepared: PreparedPayment;
  try {
    const { id: paymentId, address: to, amount } = payment;
    prepared = await gateway.preparePayment({ paymentId, to, amount, nonce, outgoing });
  } catch (error) {
    await handlePreparationFailure(ctx, payment, error);
    return "failed";
  }
  const built = { payment, prepared, chainNonce, signed, lookedUp };
  const outcome = await ctx.db.transaction((tx) => storePrepared(tx, ctx, built));
  if (outcome === "late") {
    const message = "what they depend on was looked up more than two minutes before they could be stored";
    await handlePreparationFailure(ctx, payment, new PaymentsWaitError(message, { action: findPaymentBlock(asset) }));
    return "failed";
  }
  return outcome === "stored" ? "prepared" : "none";
}

/** A payment that was built, and what that was based on. */
type Built = {
  payment: PaymentRow;
  prepared: PreparedPayment;
  chainNonce: number | null;
  /** If the payment has no nonce, the digest of what was signed when it was built. */
  signed: string | null;
  /** When the lookups began, by the database's clock and by the process's, which stops while its machine is suspended. */
  lookedUp: { at: Date; monotonic: number };
};

/**
 * Stores a prepared payment, if it is still the next one to send. `changed` if anything has changed since it was
 * chosen. `late` if its deposits were looked up too long ago, because this process was paused: they may have left the
 * chain since (T50). In both cases, what was built is dropped, unsent.
 */
async function storePrepared(tx: Database, ctx: RunningContext, built: Built): Promise<"stored" | "changed" | "late"> {
  const { payment, prepared, lookedUp } = built;
  const { asset } = payment;
  const { signer } = ctx.chains[asset];
  // One payment per signer at a time, so that nonces stay consecutive and no input is used twice.
  await lockFor(tx, `signer:${signer}`);
  await lockSwitches(tx);
  if (!(await isStillNext(tx, ctx, built))) return "changed";
  const at = await ctx.clock.now(tx);
  const ageMs = Math.max(at.getTime() - lookedUp.at.getTime(), performance.now() - lookedUp.monotonic);
  if (ageMs > maxLookupAgeMs) return "late";
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
      ...noTime,
      updatedAt: at,
    })
    .where(and(isUnchanged(payment), eq(payments.amount, payment.amount)))
    .returning({ id: payments.id });
  if (stored.length === 0) return "changed";
  rememberPrepared(tx, ctx, {
    id: payment.id,
    asset,
    amount: payment.amount,
    hash: prepared.hash,
    nonce: prepared.nonce,
  });
  await storeBaseline(tx, asset, prepared.nonce);
  await clearAlert(tx, ...toWaitSubjects(asset));
  // Ends the alert that the payment cannot be prepared. An alert about refusals lasts until the payment is made.
  if (payment.refusals === 0) await clearAlert(tx, `payment:${payment.id}`);
  await recordEvent(tx, payment.orderId, {
    kind: "payment_prepared",
    data: { payment: payment.id, hash: prepared.hash },
    at,
  });
  return "stored";
}

/**
 * Whether a payment that was built is still the next one to send. It is not if another process was faster, its order was
 * put on hold, or payments were switched off. Locks its order.
 */
async function isStillNext(
  tx: Database,
  ctx: RunningContext,
  { payment, prepared, chainNonce, signed }: Built,
): Promise<boolean> {
  const { id, asset, orderId } = payment;
  if ((await getSwitchedOff(tx)).payments || (await hasUnsent(tx, ctx, asset))) return false;
  if (await stopIfCommitsAreLost(tx, ctx)) return false;
  if (signed !== null && (await digestSigned(tx, asset)) !== signed) return false;
  await lockOrderRow(tx, orderId);
  if ((await getNextPlanned(tx, ctx, asset, id)) === null) return false;
  // The next run parks it.
  if ((await listUnresolvedDuplicates(tx, id)).length > 0) return false;
  return (await chooseNonce(tx, ctx, asset, chainNonce)) === prepared.nonce;
}

/**
 * Parks payouts of completed orders whose owner may no longer swap. A reorg removed their first payout, and
 * these orders can no longer be put on hold: an operator refunds them, or retries once the owner is approved again.
 */
async function parkForOwners(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const isOwnersPayout = and(eq(payments.purpose, "payout"), eq(orders.status, "completed"), not(ownerMaySwap));
  const rows = await selectPlanned(ctx.db, asset, isOwnersPayout);
  for (const { payment } of rows) {
    const reason = "The owner of the order is blocked or not verified.";
    await parkPayment(ctx, payment, {
      reason,
      action: `Run "operate refund ${payment.orderId}" or, once its owner may swap again, "operate retry ${payment.id}".`,
    });
  }
}

/**
 * The oldest due payout that has not failed, otherwise one that has, otherwise the oldest refund; or the payment with
 * `id` if it is due.
 */
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
    // A payout waits if its owner was blocked since the fill; `holdIneligibleOrders` then puts the order on hold.
    or(eq(payments.purpose, "refund"), ownerMaySwap),
    isDueToPrepare(now),
  );
  const [row] = await selectPlanned(tx, asset, isDue)
    // Payouts come first, so that refunds of an attacker's deposits do not delay customers' payouts. Among these,
    // payments that have not failed yet come first, so that payments that fail slowly do not delay the others.
    .orderBy(asc(payments.purpose), asc(gt(payments.attempts, 0)), asc(payments.createdAt), asc(payments.id))
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
