/** What several steps read about the deposits, payments and events of an order. */
import { and, asc, desc, eq, inArray, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { orderEvents, orders } from "../db/schema/orders";
import { type PaymentRow, payments } from "../db/schema/payments";
import type { OrderEvent } from "./order-event";

/** Whether the chain shows a deposit for the order, confirmed or not. */
export async function hasSeenDeposit(db: Database, orderId: string): Promise<boolean> {
  const [seen] = await db
    .select({ id: deposits.id })
    .from(deposits)
    .where(and(eq(deposits.orderId, orderId), ne(deposits.status, "failed"), isNull(deposits.missingSince)))
    .limit(1);
  return seen !== undefined;
}

/** Selects the pending deposits of an order, whose id may be a column. */
export const selectPending = (db: Database, orderId: string | typeof orders.id) =>
  db
    .select({ id: deposits.id })
    .from(deposits)
    .where(and(eq(deposits.orderId, orderId), eq(deposits.status, "pending")));

/** Whether a deposit of the order waits for its confirmations. */
export async function hasPendingDeposits(db: Database, orderId: string): Promise<boolean> {
  return (await selectPending(db, orderId).limit(1)).length > 0;
}

/** SQL, in queries of orders: selects when an order got its current status. */
export const selectInStatusSince = sql`select max(${orderEvents.at}) from ${orderEvents}
  where ${and(eq(orderEvents.orderId, orders.id), eq(orderEvents.toStatus, orders.status))}`;

/** Whether the order has a payment that meets the condition. */
export async function hasPayment(db: Database, orderId: string, condition: SQL): Promise<boolean> {
  const [payment] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), condition))
    .limit(1);
  return payment !== undefined;
}

/** The final refunds of an order, in the order in which they were confirmed. */
export async function listConfirmedRefunds(db: Database, orderId: string): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.purpose, "refund"), eq(payments.status, "confirmed")))
    .orderBy(asc(payments.confirmedAt), asc(payments.id));
}

/** The kinds of the newest two events of these kinds: which was last, and whether there was more than one. */
export function listLatestEvents(tx: Database, orderId: string, kinds: OrderEvent["kind"][]) {
  return tx
    .select({ kind: orderEvents.kind })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, orderId), inArray(orderEvents.kind, kinds)))
    .orderBy(desc(orderEvents.id))
    .limit(2);
}
