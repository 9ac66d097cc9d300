import { and, eq, or, sql } from "drizzle-orm";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { chainStates } from "../../db/schema/chains";
import { ledgerAccounts } from "../../db/schema/ledger";
import { orders } from "../../db/schema/orders";
import { isReserveOfOrder } from "../liquidity";
import { isReadThrough, paymentDeadline, paymentDeadlineSql } from "../payment-deadline";
import { releaseReserve } from "../payouts-and-refunds/fill";
import { runOrderStep } from "../run-order-step";
import { lockOrderRow, touchOrder } from "../transition";

/** How many reserves are released in one run; the next run handles the rest. */
const batch = 100;

/**
 * Releases the reserve of undecided orders past their payment deadline: their locked rate is gone. As with expiry, the
 * scanner must have read a later block: a payment made in time may top the order up, however late it is read.
 */
export async function releaseStaleReserves(ctx: ExchangeContext): Promise<void> {
  const due = await selectStaleReserves(ctx.db, await ctx.clock.now(ctx.db)).limit(batch);
  for (const { id, through } of due) {
    await runOrderStep(ctx, { orderId: id, failure: "a reserve could not be released" }, () =>
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

/** An undecided order, even one on hold. */
const isUndecided = or(
  eq(orders.status, "needs_decision"),
  and(eq(orders.status, "on_hold"), eq(orders.heldFrom, "needs_decision")),
);

/** The undecided orders with a reserve whose payment deadline has passed, by our clock and on their chain. */
export const selectStaleReserves = (db: Database, now: Date) =>
  db
    .select({ id: orders.id, through: chainStates.scannedThrough })
    .from(orders)
    .innerJoin(chainStates, eq(chainStates.asset, orders.sourceAsset))
    .innerJoin(ledgerAccounts, isReserveOfOrder)
    .where(and(isUndecided, sql`${paymentDeadlineSql} < ${now.toISOString()}::timestamptz`, isReadThrough));
