import { and, eq } from "drizzle-orm";
import { canTransition, type OrderStatus } from "../../lib/order-states";
import type { Database } from "../db/database";
import { type OrderRow, orderEvents, orders } from "../db/schema/orders";
import { ExchangeError, invariant } from "../errors";
import type { OrderEvent } from "./order-event";

/** The columns of an order that is not on hold. */
export const notOnHold = { holdReason: null, holdProblem: null, heldFrom: null, holdDeadline: null };

type OrderColumns = Partial<
  Omit<
    typeof orders.$inferInsert,
    "id" | "fundingIndex" | "status" | "accountId" | "quoteId" | "createdAt" | "updatedAt"
  >
>;

type StatusChange = { from: OrderStatus | null; to: OrderStatus | null };

/** `set` are further columns of the order, changed together with the event. */
export type OrderChange = OrderEvent & { set?: OrderColumns };

/**
 * Locks an order's row for the rest of the transaction. Every change of an order, its payments and
 * its decision takes this lock first. @throws not_found
 */
export async function lockOrderRow(tx: Database, orderId: string): Promise<OrderRow> {
  const [row] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/**
 * Changes an order's status and records the event in the same transaction. No other function changes the status, and
 * only `orders/` calls this one. It is a compare-and-set on `order.status`.
 * @throws conflict if the status has changed since `order` was read
 * @throws Error if `orderTransitions` does not allow the step (a bug)
 */
export async function transition(
  tx: Database,
  order: Pick<OrderRow, "id" | "status">,
  to: OrderStatus,
  { set, ...event }: OrderChange,
): Promise<OrderRow> {
  invariant(canTransition(order.status, to), `an order goes from ${order.status} to ${to}`);
  const [row] = await tx
    .update(orders)
    .set({ ...set, status: to, updatedAt: event.at })
    .where(and(eq(orders.id, order.id), eq(orders.status, order.status)))
    .returning();
  if (!row) throw new ExchangeError("conflict");
  await insertEvent(tx, order.id, event, { from: order.status, to });
  return row;
}

/** Records an event that does not change the order's status, and notifies watchers. */
export async function recordEvent(tx: Database, orderId: string, { set, ...event }: OrderChange): Promise<OrderRow> {
  const [row] = await tx
    .update(orders)
    .set({ ...set, updatedAt: event.at })
    .where(eq(orders.id, orderId))
    .returning();
  invariant(row, `order ${orderId} exists`);
  await insertEvent(tx, orderId, event);
  return row;
}

/** Notifies watchers of a change that is not an event, such as one more confirmation. `set` are further columns. */
export async function touchOrder(tx: Database, orderId: string, at: Date, set: OrderColumns = {}): Promise<void> {
  await tx
    .update(orders)
    .set({ ...set, updatedAt: at })
    .where(eq(orders.id, orderId));
}

/** Appends to an order's event log without touching the order. */
export async function insertEvent(
  tx: Database,
  orderId: string,
  event: OrderEvent,
  status?: StatusChange,
): Promise<void> {
  await toEventStatement(tx, orderId, event, status);
}

/** The insertion that appends to an order's event log, for a statement that makes other changes as well. */
export function toEventStatement(
  tx: Database,
  orderId: string,
  { kind, data, at }: OrderEvent,
  status: StatusChange = { from: null, to: null },
) {
  return tx
    .insert(orderEvents)
    .values({ orderId, kind, fromStatus: status.from, toStatus: status.to, data: data ?? {}, at })
    .returning({ id: orderEvents.id });
}
