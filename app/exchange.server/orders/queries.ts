import { and, asc, eq, inArray, isNotNull, ne, notInArray } from "drizzle-orm";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import type { PaymentRow } from "./plan-payments";
import { deposits, orders, payments } from "./tables";
import type { OrderRow } from "./transition";

export type DepositRow = typeof deposits.$inferSelect;

/** Every deposit ever seen for an order, the oldest first; also those that vanished. */
export async function getDeposits(db: Database, orderId: string): Promise<DepositRow[]> {
  return db
    .select()
    .from(deposits)
    .where(eq(deposits.orderId, orderId))
    .orderBy(asc(deposits.createdAt), asc(deposits.id));
}

/** A credited deposit and what of it is still held: its amount less what refunds took. */
export type HeldDeposit = DepositRow & { left: bigint };

/** What an order can be filled with, or what is refunded; the sum is the order's `held` account. */
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

/** An order of this account. @throws not_found, for other people's orders too */
export async function getOwnOrder(db: Database, accountId: string, orderId: string): Promise<OrderRow> {
  const [row] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.accountId, accountId)));
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/** The deposits and payments of several orders at once, so that a list costs two queries. */
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

/** Whether money of the order is still to leave or on its way. */
export async function hasOpenPayments(db: Database, orderId: string): Promise<boolean> {
  const [open] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), notInArray(payments.status, ["confirmed", "failed"])))
    .limit(1);
  return open !== undefined;
}
