import { and, eq } from "drizzle-orm";
import type { Database } from "../db/database";
import { newestFirst, type PageRequest } from "../db/pages";
import { orders } from "../db/schema/orders";
import type { OrderRow } from "./transition";

/** Returns a page of an account's orders, newest first; with `quoteId`, only the order of that quote. */
export async function listOrders(
  db: Database,
  accountId: string,
  { quoteId, ...page }: PageRequest & { quoteId: number | null },
): Promise<OrderRow[]> {
  const { after, orderBy, limit } = newestFirst(orders, page);
  return db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), quoteId === null ? undefined : eq(orders.quoteId, quoteId), after))
    .orderBy(...orderBy)
    .limit(limit);
}
