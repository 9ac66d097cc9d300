import { and, eq, gt, inArray, ne, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import type { Database } from "../../db/database";
import { ledgerAccounts } from "../../db/schema/ledger";
import { orders } from "../../db/schema/orders";
import { payments } from "../../db/schema/payments";
import { heldFor } from "../../ledger/ledger";

/*
 * An amount is set aside when it is held for an order that is done or being paid. It was too little to
 * refund, and is refunded once it is worth the cost: because more has arrived, or because gas is cheaper.
 */

export const statusesWithSetAside = ["paying_out", "completed", "refunding", "refunded", "cancelled"] as const;

/** The order has a refund. If it has none, the refund of everything may only be postponed, and nothing is set aside. */
const isRefunded = sql`exists (select from ${payments}
  where ${and(eq(payments.orderId, orders.id), eq(payments.purpose, "refund"), ne(payments.status, "failed"))})`;

/** The order waits for neither a deposit nor a decision, so what is held for it is set aside. */
export const waitsForNothing = or(
  and(inArray(orders.status, [...statusesWithSetAside]), or(ne(orders.status, "refunding"), isRefunded)),
  and(eq(orders.status, "on_hold"), eq(orders.heldFrom, "paying_out")),
  and(eq(orders.status, "on_hold"), eq(orders.heldFrom, "refunding"), isRefunded),
);

/** Joins an order with the ledger account of what is held for it, if there is anything. */
export const isHeldForOrder = and(
  eq(ledgerAccounts.asset, orders.sourceAsset),
  eq(ledgerAccounts.code, sql`${heldFor("")} || ${orders.id}`),
  gt(ledgerAccounts.balance, 0n),
);

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
    .innerJoin(ledgerAccounts, isHeldForOrder)
    .where(and(waitsForNothing, accountId === undefined ? undefined : eq(orders.accountId, accountId)))
    .groupBy(orders.sourceAsset)
    .orderBy(orders.sourceAsset);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}
