import { and, desc, eq, exists, inArray, ne, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { OrderTotals } from "../../../api/contract";
import { type AssetSymbol, assetSymbols } from "../../../lib/assets";
import { formatAmount } from "../../../lib/money";
import type { Database } from "../../db/database";
import { deposits } from "../../db/schema/deposits";
import { orders } from "../../db/schema/orders";
import { payments } from "../../db/schema/payments";

/** How many of an account's newest orders are added up, to limit the work of a page. */
const maxCounted = 2_000;

/**
 * One row with what came in for an account's orders, and what was or still has to be sent. The sums are exact, in base
 * units.
 */
export function selectOrderTotals(db: Database, accountId: string, limit = maxCounted) {
  const newest = () =>
    db
      .select({ id: orders.id })
      .from(orders)
      .where(eq(orders.accountId, accountId))
      .orderBy(desc(orders.createdAt), desc(orders.id));
  const movedBy = (table: typeof deposits | typeof payments, isDeposit: boolean) =>
    db
      .select({
        asset: table.asset,
        amount: table.amount,
        isDeposit: sql<boolean>`${isDeposit}::boolean`.as("is_deposit"),
      })
      .from(table)
      .where(and(inArray(table.orderId, newest().limit(limit)), ne(table.status, "failed")));
  const moved = unionAll(movedBy(deposits, true), movedBy(payments, false)).as("moved");
  const sumOf = (asset: AssetSymbol, isDeposit: boolean) =>
    sql<bigint>`coalesce(sum(${moved.amount}) filter (where ${and(eq(moved.asset, asset), eq(moved.isDeposit, isDeposit))}), 0)`
      .mapWith(BigInt)
      .as(`${isDeposit ? "deposited" : "withdrawn"}_${asset}`);
  return db
    .select({
      orders: sql<number>`(select count(*)::int from ${newest().limit(limit).as("counted")})`.as("orders"),
      capped: sql<boolean>`${exists(newest().limit(1).offset(limit))}`.as("capped"),
      deposited: { USDT: sumOf("USDT", true), MOB: sumOf("MOB", true) },
      withdrawn: { USDT: sumOf("USDT", false), MOB: sumOf("MOB", false) },
    })
    .from(moved);
}

type Sums = Record<AssetSymbol, bigint>;

/** Converts the row to its API representation. */
export function toOrderTotals(row: { orders: number; capped: boolean; deposited: Sums; withdrawn: Sums }): OrderTotals {
  return {
    orders: row.orders,
    capped: row.capped,
    totals: assetSymbols.map((asset) => ({
      asset_symbol: asset,
      deposited: formatAmount(row.deposited[asset], asset),
      withdrawn: formatAmount(row.withdrawn[asset], asset),
    })),
  };
}
