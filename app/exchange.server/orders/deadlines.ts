import { and, eq, lte, sql } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { settleQuote } from "../quotes/quotes";
import { refundOrder } from "./decisions";
import { lastMoment } from "./evaluate";
import { releaseReserve } from "./fill";
import { refundHeldOrder } from "./hold";
import { getDeposits } from "./queries";
import { chainStates, orders } from "./tables";
import { lockOrder, type OrderRow, touchOrder, transition } from "./transition";

/** Rows looked at in one run; the next run takes the next. */
const batch = 100;

/**
 * Expires orders that no deposit was seen for. The database's time alone never does: the
 * scanner must have read a block later than the deadline (rule 1), so that a service that
 * was down costs nobody their rate.
 */
export async function expireOrders(x: ExchangeContext): Promise<number> {
  let expired = 0;
  for (const asset of ["USDT", "MOB"] as const) {
    const [chain] = await x.db.select().from(chainStates).where(eq(chainStates.asset, asset));
    if (chain?.synced !== 1 || chain.scannedThrough === null) continue;
    const through = chain.scannedThrough;
    const due = await x.db
      .select({ id: orders.id })
      .from(orders)
      .where(
        and(
          eq(orders.status, "awaiting_deposit"),
          eq(orders.sourceAsset, asset),
          sql`${orders.expiresAt} + ${orders.graceMs} * interval '1 millisecond' < ${through.toISOString()}::timestamptz`,
        ),
      )
      .limit(batch);
    for (const { id } of due) {
      if (await expireOrder(x, id, through)) expired += 1;
    }
  }
  return expired;
}

async function expireOrder(x: ExchangeContext, orderId: string, scannedThrough: Date): Promise<boolean> {
  return x.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const at = await x.clock.now(tx);
    if (order.status !== "awaiting_deposit" || lastMoment(order) >= scannedThrough || at <= lastMoment(order))
      return false;
    const seen = await getDeposits(tx, orderId);
    if (seen.some((deposit) => deposit.status !== "failed")) return false;
    await releaseReserve(tx, order, at);
    await settleQuote(tx, order.quoteId, "expired", at);
    await transition(tx, order, "expired", { kind: "expired", at });
    return true;
  });
}

/** Decisions and holds whose time is over end in a refund, never in silence. */
export async function refundOverdue(x: ExchangeContext): Promise<number> {
  const now = await x.clock.now(x.db);
  const due = await x.db
    .select({ id: orders.id })
    .from(orders)
    .where(
      sql`(${orders.status} = 'needs_decision' and ${lte(orders.decisionDeadline, now)})
       or (${orders.status} = 'on_hold' and ${lte(orders.holdDeadline, now)})`,
    )
    .limit(batch);
  let refunded = 0;
  for (const { id } of due) {
    refunded += await x.db.transaction(async (tx) => {
      const order = await lockOrder(tx, id);
      const at = await x.clock.now(tx);
      if (!isOverdue(order, at)) return 0;
      if (order.status === "on_hold") await refundHeldOrder(tx, x, order, "clock");
      else await refundOrder(tx, x, order, { by: "clock", at });
      return 1;
    });
  }
  return refunded;
}

function isOverdue(order: OrderRow, at: Date): boolean {
  if (order.status === "needs_decision") return order.decisionDeadline !== null && order.decisionDeadline <= at;
  return order.status === "on_hold" && order.holdDeadline !== null && order.holdDeadline <= at;
}

/** An undecided order past its window can no longer be filled at its rate: its reserve is given back. */
export async function releaseStaleReserves(x: ExchangeContext): Promise<void> {
  const now = await x.clock.now(x.db);
  const due = await x.db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.status, "needs_decision"),
        sql`${orders.expiresAt} + ${orders.graceMs} * interval '1 millisecond' < ${now.toISOString()}::timestamptz`,
        sql`exists (select 1 from ledger_accounts a where a.code = 'reserved:' || ${orders.id} and a.balance > 0)`,
      ),
    )
    .limit(batch);
  for (const { id } of due) {
    await x.db.transaction(async (tx) => {
      const order = await lockOrder(tx, id);
      const at = await x.clock.now(tx);
      if (order.status !== "needs_decision" || at <= lastMoment(order)) return;
      await releaseReserve(tx, order, at);
      // What may be chosen has changed with the end of the window: watchers look again.
      await touchOrder(tx, order.id, at);
    });
  }
}

/** Cancels an order that no deposit was seen for. The same again is answered alike. @throws not_found, order_funded, conflict */
export async function cancelOrder(x: ExchangeContext, orderId: string): Promise<OrderRow> {
  return x.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order.status === "cancelled") return order;
    const at = await x.clock.now(tx);
    const seen = await getDeposits(tx, orderId);
    if (seen.some((deposit) => deposit.status !== "failed")) throw new ExchangeError("order_funded");
    if (order.status !== "awaiting_deposit") throw new ExchangeError("conflict");
    await releaseReserve(tx, order, at);
    await settleQuote(tx, order.quoteId, "expired", at);
    return transition(tx, order, "cancelled", { kind: "cancelled", at });
  });
}
