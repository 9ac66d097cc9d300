import { and, eq, gt, inArray, ne, not, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import type { Database } from "../../db/database";
import { ledgerAccounts } from "../../db/schema/ledger";
import { orderEvents, orders } from "../../db/schema/orders";
import { hasNotFailed, payments } from "../../db/schema/payments";
import { heldFor } from "../../ledger/ledger";

/*
 * An amount is set aside when it is held for an order that is done or being paid. It was too little to
 * refund, and is refunded once it is worth the cost: because more has arrived, or because gas is cheaper.
 * If the cost was not known, the amount is not set aside: its refund is postponed until the cost is known.
 */

export const statusesWithSetAside = ["paying_out", "completed", "refunding", "refunded", "cancelled"] as const;

/** The order has a refund. If it has none, the refund of everything may only be postponed, and nothing is set aside. */
const isRefunded = sql`exists (select from ${payments}
  where ${and(eq(payments.orderId, orders.id), eq(payments.purpose, "refund"), hasNotFailed)})`;

/**
 * The cost of refunding the amount held for the order was not known when the refund was last considered. Use this only
 * for orders for which something is held, because it reads their events.
 */
export const isRefundPostponed = sql<boolean>`(select ${orderEvents.kind} from ${orderEvents}
  where ${and(eq(orderEvents.orderId, orders.id), inArray(orderEvents.kind, ["refund_postponed", "kept_below_cost"]))}
  order by ${orderEvents.id} desc limit 1) is not distinct from 'refund_postponed'`;

/** The order waits for neither a deposit nor a decision. */
const waitsForNothing = or(
  and(inArray(orders.status, [...statusesWithSetAside]), or(ne(orders.status, "refunding"), isRefunded)),
  and(eq(orders.status, "on_hold"), eq(orders.heldFrom, "paying_out")),
  and(eq(orders.status, "on_hold"), eq(orders.heldFrom, "refunding"), isRefunded),
);

/** Whether what is held for an order, if there is anything, counts as set aside. */
export async function setsAside(db: Database, orderId: string): Promise<boolean> {
  const rows = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, orderId), waitsForNothing, not(isRefundPostponed)));
  return rows.length > 0;
}

/** Joins an order with the ledger account of what is held for it, if there is anything. */
export const isHeldForOrder = and(
  eq(ledgerAccounts.asset, orders.sourceAsset),
  eq(ledgerAccounts.code, sql`${heldFor("")} || ${orders.id}`),
  gt(ledgerAccounts.balance, 0n),
);

/** Joins an order with the ledger account of what is set aside for it, if there is anything. */
export const isSetAsideForOrder = and(isHeldForOrder, waitsForNothing, not(isRefundPostponed));

/** What is set aside in each asset, and for how many orders; for all accounts or one. */
export async function listSetAside(
  db: Database,
  accountId?: string,
): Promise<{ asset: AssetSymbol; amount: bigint; orders: number }[]> {
  const rows = await db
    .select({
      asset: orders.sourceAsset,
      amount: sql<string>`sum(${ledgerAccounts.balance})::text`,
      orders: sql<number>`count(*)::int`,
    })
    .from(orders)
    .innerJoin(ledgerAccounts, isSetAsideForOrder)
    .where(accountId === undefined ? undefined : eq(orders.accountId, accountId))
    .groupBy(orders.sourceAsset)
    .orderBy(orders.sourceAsset);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
