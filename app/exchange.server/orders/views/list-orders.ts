import { and, desc, eq, gte, inArray, like, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { OrderFilters, OrderTotals } from "../../../api/contract";
import { orderGroups } from "../../../lib/order-filters";
import { parseOrderNumber } from "../../../lib/order-number";
import type { Database } from "../../db/database";
import { newestFirst, type PageRequest } from "../../db/pages";
import { deposits } from "../../db/schema/deposits";
import { orders } from "../../db/schema/orders";
import { payments } from "../../db/schema/payments";
import { invariant } from "../../errors";
import { type OrderWithMovements, selectWithMovements } from "./movements";
import { selectOrderTotals, toOrderTotals } from "./order-totals";

type Filters = OrderFilters & { quote_id?: number | undefined };

/** Selects a page of an account's orders that match the filters, with their movements, newest first. */
export function selectOrders(db: Database, accountId: string, page: PageRequest, filters: Filters) {
  const { after, orderBy, limit } = newestFirst(orders, page);
  return selectWithMovements(db)
    .where(and(eq(orders.accountId, accountId), ...toConditions(db, filters), after))
    .orderBy(...orderBy)
    .limit(limit);
}

/** The page of `selectOrders`, and the totals of the account's orders whatever the filters, in one statement. */
export async function listAndCountOrders(
  ...[db, accountId, page, filters]: Parameters<typeof selectOrders>
): Promise<{ found: OrderWithMovements[]; count: OrderTotals }> {
  const totals = selectOrderTotals(db, accountId).as("totals");
  const shown = selectOrders(db, accountId, page, filters).as("shown");
  const rows = await db.select().from(totals).leftJoin(shown, sql`true`).orderBy(desc(shown.createdAt), desc(shown.id));
  const [first] = rows;
  invariant(first, "totals are one row");
  return { found: rows.flatMap((row) => row.shown ?? []), count: toOrderTotals(first.totals) };
}

function toConditions(db: Database, filters: Filters): (SQL | undefined)[] {
  const { quote_id, search, state, source_asset_symbol, created_from, created_before } = filters;
  return [
    quote_id === undefined ? undefined : eq(orders.quoteId, quote_id),
    state === undefined ? undefined : inArray(orders.status, [...orderGroups[state]]),
    source_asset_symbol === undefined ? undefined : eq(orders.sourceAsset, source_asset_symbol),
    created_from === undefined ? undefined : gte(orders.createdAt, new Date(created_from)),
    created_before === undefined ? undefined : lt(orders.createdAt, new Date(created_before)),
    search === undefined ? undefined : matches(db, search),
  ];
}

/**
 * Matches an order's number or id, or the beginning of one of its hashes or addresses. The hashes are looked
 * up once by their indexes, whatever the number of orders.
 */
function matches(db: Database, text: string): SQL | undefined {
  const typed = `${text.replace(/[\\%_]/g, "\\$&")}%`;
  const lower = typed.toLowerCase();
  const begins = (address: PgColumn) => like(sql`lower(${address})`, lower);
  // Nodes write hashes in lower case, but a copied hash may be in any case.
  const isHash = (hash: PgColumn) => or(like(hash, lower), like(hash, typed));
  const quoteId = parseOrderNumber(text);
  return or(
    quoteId === null ? undefined : eq(orders.quoteId, quoteId),
    eq(orders.id, text),
    begins(orders.deliveryAddress),
    begins(orders.refundAddress),
    begins(orders.fundingAddress),
    inArray(orders.id, db.select({ id: deposits.orderId }).from(deposits).where(isHash(deposits.displayHash))),
    inArray(orders.id, db.select({ id: payments.orderId }).from(payments).where(isHash(payments.hash))),
  );
}
