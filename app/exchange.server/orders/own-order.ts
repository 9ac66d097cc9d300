import { and, eq } from "drizzle-orm";
import type { Database } from "../db/database";
import { type OrderRow, orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";

/** Selects an order if it belongs to the account. */
export const isOwnOrder = (accountId: string, orderId: string) =>
  and(eq(orders.id, orderId), eq(orders.accountId, accountId));

/** @throws not_found, including for another account's order */
export async function getOwnOrder(db: Database, accountId: string, orderId: string): Promise<OrderRow> {
  const [row] = await db.select().from(orders).where(isOwnOrder(accountId, orderId));
  if (!row) throw new ExchangeError("not_found");
  return row;
}
