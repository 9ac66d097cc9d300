import { and, asc, eq, lte, or, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { addMs, minuteMs } from "../../../lib/durations";
import { listPostponed, raiseAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { chainStates } from "../../db/schema/chains";
import { type OrderRow, orders } from "../../db/schema/orders";
import { describeError } from "../../describe-error";
import { InsufficientBalanceError } from "../../ledger/ledger";
import { addFunds } from "../../operator-advice";
import { refundOrder } from "../payouts-and-refunds/refund";
import { lockOrderRow } from "../transition";

/** How many orders are refunded in one run; the next run handles the rest. */
const batch = 100;

/** How long an order that could not be refunded waits for the next try. */
const retryMs = minuteMs;

/**
 * Refunds orders whose decision or hold deadline has passed. An order whose refund fails waits for an
 * operator, and for the next try, without delaying the others.
 */
export async function refundOverdue(ctx: ExchangeContext): Promise<number> {
  const now = await ctx.clock.now(ctx.db);
  const due = await selectOverdue(ctx.db, now).orderBy(asc(orders.updatedAt), asc(orders.id));
  const postponed = await listPostponed(ctx.db, "order:", { now, longestMs: retryMs });
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
      const retryAt = addMs(at, retryMs);
      await raiseAlert(ctx.db, ctx, { subject: `order:${id}`, orderId: id, reason, action, at, retryAt });
    }
  }
  return refunded;
}

/**
 * The time of the newest block of Ethereum that was read. A refund cannot be undone, so a deadline must have passed by
 * this time, too: if the database's clock jumped ahead, all orders on hold would be refunded at once (T61).
 */
const ethereumTime = sql`(select ${chainStates.scannedThrough} from ${chainStates} where ${eq(chainStates.asset, "USDT")})`;

/** The orders whose decision or hold deadline has passed. */
export function selectOverdue(db: Database, now: Date) {
  const hasPassed = (deadline: AnyPgColumn) => and(lte(deadline, now), lte(deadline, ethereumTime));
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(
      or(
        and(eq(orders.status, "needs_decision"), hasPassed(orders.decisionDeadline)),
        and(eq(orders.status, "on_hold"), hasPassed(orders.holdDeadline)),
      ),
    );
}

async function refundIfOverdue(ctx: ExchangeContext, id: string): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, id);
    const at = await ctx.clock.now(tx);
    if (!isOverdue(order, at)) return false;
    await refundOrder(tx, ctx, order, { by: "clock", at });
    return true;
  });
}

function isOverdue(order: OrderRow, at: Date): boolean {
  if (order.status === "needs_decision") return order.decisionDeadline !== null && order.decisionDeadline <= at;
  return order.status === "on_hold" && order.holdDeadline !== null && order.holdDeadline <= at;
}
