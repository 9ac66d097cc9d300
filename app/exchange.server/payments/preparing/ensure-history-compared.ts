import { and, eq } from "drizzle-orm";
import { type AssetSymbol, otherAsset } from "../../../lib/assets";
import { clearAlert, raiseAlert } from "../../alerts/alerts";
import { trackProblems } from "../../alerts/track-problems";
import type { ExchangeContext, RunningContext } from "../../context";
import { orders } from "../../db/schema/orders";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { checkNodes } from "../../operator-advice";
import { checkHistory } from "../history/check-history";
import { postponePayment } from "./preparation-failure";

/**
 * Compares what our signer has sent before this payment, unless we know all of it; false if the payment has to wait.
 * If a restored backup or a failover has lost commits, one of those transactions could be this very payment, already
 * made. With nonces, we know everything before this payment if the previous nonce belongs to one of our payments. If
 * it does not, everything before must be in blocks and be compared first. Without nonces, on MobileCoin, the wallet's
 * newest payments are compared each time.
 */
export async function ensureSignerHistoryCompared(
  ctx: RunningContext,
  payment: PaymentRow,
  nonce: number | null,
): Promise<boolean> {
  const { asset } = payment;
  if (nonce === 0 || (nonce !== null && (await isOurNonce(ctx, asset, nonce - 1)))) return true;
  // If it finds a payment that we do not know, it stops payments or parks this one. `storePrepared` in prepare.ts
  // checks for both.
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

async function isOurNonce(ctx: RunningContext, asset: AssetSymbol, nonce: number): Promise<boolean> {
  const [payment] = await ctx.db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.signer, ctx.chains[asset].signer), eq(payments.nonce, nonce)))
    .limit(1);
  return payment !== undefined;
}

/** Payments that wait for an earlier transaction of their signer. */
const nonceGaps = trackProblems<AssetSymbol>();

/**
 * The previous transaction may never get into a block: it may have been dropped, or the number given to `accept-nonce`
 * was too high.
 */
async function alertToNonceGap(ctx: RunningContext, asset: AssetSymbol, nonce: number): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  if (nonceGaps.note(ctx, asset, at) === null) return;
  const reason = `All ${asset} payments wait for the transaction with nonce ${nonce - 1} of ${ctx.chains[asset].signer}, which is neither in this database nor in a block that enough nodes agree on.`;
  const action = `Raise its fee, or replace it with a transaction of 0 ether from the payout wallet to itself with that nonce. If the number given to "operate accept-nonce" was too high, run it again with the right one.`;
  await raiseAlert(ctx.db, ctx, { subject: `nonce:${asset}`, reason, action, at });
}

async function endNonceGap(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  nonceGaps.end(ctx, asset);
  await clearAlert(ctx.db, `nonce:${asset}`);
}

/**
 * If a payout is prepared this soon after it was planned, no other decision about its order can have been made, paid
 * out and lost in between. The same as the interval of the job that compares both chains.
 */
const promptMs = 30_000;

/**
 * Compares what our wallet on the other chain has sent, before a payment that follows a decision, and before a payout
 * that has waited; false if the payment has to wait. If the database has lost commits, these may include the opposite
 * decision and the payment on the other chain that followed it.
 */
export async function ensureOtherChainCompared(ctx: RunningContext, payment: PaymentRow): Promise<boolean> {
  if (!(await hasWaited(ctx, payment)) && !(await followsDecision(ctx, payment))) return true;
  const other = otherAsset(payment.asset);
  let cause: unknown;
  try {
    // If it finds a payment that we do not know, it stops payments. `storePrepared` in prepare.ts checks for that.
    if ((await checkHistory(ctx, other, { isThorough: false })).isComplete) return true;
  } catch (error) {
    cause = error;
  }
  const reason = `the payments of our ${other} wallet cannot be compared with the database`;
  await postponePayment(ctx, payment, { reason, action: checkNodes(other), cause });
  return false;
}

/** Whether a payout was not prepared promptly: it had to wait, or it was planned before a failover. */
async function hasWaited(ctx: ExchangeContext, { purpose, createdAt }: PaymentRow): Promise<boolean> {
  if (purpose !== "payout") return false;
  const age = (await ctx.clock.now(ctx.db)).getTime() - createdAt.getTime();
  // A time in the future means that the clock of the database's new server is behind the old server's.
  return age < 0 || age >= promptMs;
}

async function followsDecision(ctx: ExchangeContext, { orderId }: PaymentRow): Promise<boolean> {
  const [order] = await ctx.db.select({ decision: orders.decisionChoice }).from(orders).where(eq(orders.id, orderId));
  return order?.decision != null;
}
