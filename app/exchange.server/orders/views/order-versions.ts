import { and, eq, inArray } from "drizzle-orm";
import type { Database } from "../../db/database";
import { type OrderRow, orders } from "../../db/schema/orders";
import { quotes } from "../../db/schema/quotes";

/** A version that shows whether an order has changed, and until when its open offer, if any, is valid. */
export type OrderVersion = Pick<OrderRow, "id" | "status" | "updatedAt"> & { offerExpiresAt: Date | null };

/** The versions of orders, without the other columns, because they are read often. */
export async function getOrderVersions(db: Database, ids: string[]): Promise<OrderVersion[]> {
  const { id, status, updatedAt } = orders;
  return db
    .select({ id, status, updatedAt, offerExpiresAt: quotes.expiresAt })
    .from(orders)
    .leftJoin(quotes, and(eq(quotes.id, orders.offerQuoteId), eq(quotes.status, "open")))
    .where(inArray(orders.id, ids));
}
