import { and, desc, eq, lt, or } from "drizzle-orm";
import type { Database } from "../db/database";
import { orders } from "./tables";
import type { OrderRow } from "./transition";

/** Orders of an account, newest first; `before` is the sort key of the last one already shown. */
export async function listOrders(
  db: Database,
  accountId: string,
  page: { limit: number; before: { at: Date; id: string } | null; quoteId: number | null },
): Promise<OrderRow[]> {
  const { before } = page;
  return db
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        page.quoteId === null ? undefined : eq(orders.quoteId, page.quoteId),
        before
          ? or(lt(orders.createdAt, before.at), and(eq(orders.createdAt, before.at), lt(orders.id, before.id)))
          : undefined,
      ),
    )
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(page.limit);
}
