import { and, asc, eq, inArray, isNotNull, ne, notInArray } from "drizzle-orm";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import type { PaymentRow } from "./plan-payments";
import type { OrderRow } from "./transition";

export type DepositRow = typeof deposits.$inferSelect;

/** Every deposit ever seen for an order, oldest first, including those removed by a reorg. */
export async function getDeposits(db: Database, orderId: string): Promise<DepositRow[]> {
  return db
    .select()
    .from(deposits)
    .where(eq(deposits.orderId, orderId))
    .orderBy(asc(deposits.createdAt), asc(deposits.id));
}

/** A credited deposit; `left` is the amount still held: the deposit less its refunds. */
export type HeldDeposit = DepositRow & { left: bigint };

/** The deposits an order can be filled with, or that are refunded. Their sum is the balance of `heldFor(order)`. */
export async function getHeldDeposits(db: Database, orderId: string): Promise<HeldDeposit[]> {
  const credited = await db
    .select()
    .from(deposits)
    .where(and(eq(deposits.orderId, orderId), isNotNull(deposits.creditedAt), eq(deposits.status, "confirmed")))
    .orderBy(asc(deposits.createdAt), asc(deposits.id));
  const refunds = await db
    .select({ depositId: payments.depositId, gross: payments.grossAmount })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.purpose, "refund"), ne(payments.status, "failed")));
  return credited
    .map((deposit) => ({
      ...deposit,
      left: refunds.reduce((left, r) => (r.depositId === deposit.id ? left - r.gross : left), deposit.amount),
    }))
    .filter((deposit) => deposit.left > 0n);
}

/** The total of these deposits, in base units of the source asset. */
export function sumHeld(held: HeldDeposit[]): bigint {
  return held.reduce((sum, deposit) => sum + deposit.left, 0n);
}

/** Whether the chain shows a deposit for the order, confirmed or not. */
export async function hasSeenDeposit(db: Database, orderId: string): Promise<boolean> {
  const [seen] = await db
    .select({ id: deposits.id })
    .from(deposits)
    .where(and(eq(deposits.orderId, orderId), ne(deposits.status, "failed")))
    .limit(1);
  return seen !== undefined;
}

/** @throws not_found, also for an order of another account */
export async function getOwnOrder(db: Database, accountId: string, orderId: string): Promise<OrderRow> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.accountId, accountId)));
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/** Those of these orders that exist, in no particular order. */
export async function getOrdersById(db: Database, ids: string[]): Promise<OrderRow[]> {
  return db.select().from(orders).where(inArray(orders.id, ids));
}

/** The deposits and payments of several orders, in two queries. */
export async function getMovements(
  db: Database,
  orderIds: string[],
): Promise<{ deposits: DepositRow[]; payments: PaymentRow[] }> {
  if (orderIds.length === 0) return { deposits: [], payments: [] };
  return {
    deposits: await db
      .select()
      .from(deposits)
      .where(inArray(deposits.orderId, orderIds))
      .orderBy(asc(deposits.createdAt)),
    payments: await db
      .select()
      .from(payments)
      .where(inArray(payments.orderId, orderIds))
      .orderBy(asc(payments.createdAt), asc(payments.purpose), asc(payments.id)),
  };
}

/** Whether a payment of the order is neither confirmed nor failed. */
export async function hasOpenPayments(db: Database, orderId: string): Promise<boolean> {
  const [open] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), notInArray(payments.status, ["confirmed", "failed"])))
    .limit(1);
  return open !== undefined;
}
