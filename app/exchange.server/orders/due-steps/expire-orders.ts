import { and, eq } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../../lib/assets";
import type { ExchangeContext, RunningContext } from "../../context";
import type { Database } from "../../db/database";
import { chainStates } from "../../db/schema/chains";
import { orders } from "../../db/schema/orders";
import { describeError } from "../../describe-error";
import { closeQuote } from "../../pricing/quotes";
import { notifyPaymentGone } from "../owner-mails/payment-mails";
import { isReadThrough, paymentDeadline } from "../payment-deadline";
import { releaseReserve } from "../payouts-and-refunds/fill";
import { hasSeenDeposit } from "../queries";
import { runOrderStep } from "../run-order-step";
import { lockOrderRow, transition } from "../transition";

/** How many orders of an asset expire in one run; the next run handles the rest. */
const batch = 100;

/**
 * Expires orders for which no deposit has been seen. An order expires only after the scanner has read a block later
 * than its payment deadline: a payment that was made in time gets its locked rate, even if our service was down. A
 * payment in the mempool keeps an order open longer, for at most the length of its lock; such a payment is never
 * credited before it is in a block (T43).
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
      await runOrderStep(ctx, { orderId: id, failure: "an order could not be expired" }, async () => {
        if (await expireOrder(ctx, id, through)) expired += 1;
      });
    }
  }
  return expired;
}

/** The orders whose chain was read past their payment deadline without a deposit. */
export function selectUnpaid(db: Database) {
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

/** The funding addresses that have a payment in the mempool, if their orders may still be kept open for it. */
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
