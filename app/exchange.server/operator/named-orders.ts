import { eq } from "drizzle-orm";
import { parseOrderNumber } from "../../lib/order-number";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";

/** The ID of an order that is named by its ID or by its number. Any other text is returned unchanged. */
export async function toOrderId(db: Database, named: string): Promise<string> {
  const quoteId = parseOrderNumber(named);
  if (quoteId === null) return named;
  const [order] = await db.select({ id: orders.id }).from(orders).where(eq(orders.quoteId, quoteId));
  return order?.id ?? named;
}
