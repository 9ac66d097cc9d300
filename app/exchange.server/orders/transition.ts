import { and, eq } from "drizzle-orm";
import { canTransition, type OrderStatus } from "../../lib/order-states";
import type { Database } from "../db/database";
import { ExchangeError, invariant } from "../errors";
import { orderEvents, orders } from "./tables";

export type OrderRow = typeof orders.$inferSelect;
export type OrderPatch = Partial<
  Omit<typeof orders.$inferInsert, "id" | "number" | "status" | "accountId" | "quoteId" | "createdAt" | "updatedAt">
>;

export type EventKind =
  | "created"
  | "deposit_seen"
  | "deposit_credited"
  | "deposit_reorged"
  | "decision_needed"
  | "decided"
  | "offer_made"
  | "filled"
  | "payment_planned"
  | "payment_prepared"
  | "payment_sent"
  | "payment_confirmed"
  | "payment_failed"
  | "kept_below_cost"
  | "completed"
  | "refunded"
  | "expired"
  | "cancelled"
  | "held"
  | "released";

type Event = { kind: EventKind; data?: Record<string, unknown>; at: Date };

/** Takes the one lock of an order: every payout, refund and decision stands behind it. @throws not_found */
export async function lockOrder(tx: Database, orderId: string): Promise<OrderRow> {
  const [row] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/**
 * The only function that changes an order's state: by the table, compare-and-set, with the
 * event in the same transaction. A step that the table does not know is a programmer's
 * error; an order that has moved on meanwhile is a `conflict`.
 */
export async function transition(
  tx: Database,
  order: Pick<OrderRow, "id" | "status">,
  to: OrderStatus,
  event: Event,
  patch: OrderPatch = {},
): Promise<OrderRow> {
  invariant(canTransition(order.status, to), `an order goes from ${order.status} to ${to}`);
  const [row] = await tx
    .update(orders)
    .set({ ...patch, status: to, updatedAt: event.at })
    .where(and(eq(orders.id, order.id), eq(orders.status, order.status)))
    .returning();
  if (!row) throw new ExchangeError("conflict");
  await insertEvent(tx, order.id, event, order.status, to);
  return row;
}

/** A fact about an order that leaves its state as it is; touches the order, so that watchers look again. */
export async function recordEvent(
  tx: Database,
  orderId: string,
  event: Event,
  patch: OrderPatch = {},
): Promise<OrderRow> {
  const [row] = await tx
    .update(orders)
    .set({ ...patch, updatedAt: event.at })
    .where(eq(orders.id, orderId))
    .returning();
  invariant(row, `order ${orderId} exists`);
  await insertEvent(tx, orderId, event, null, null);
  return row;
}

/** Tells watchers that something of the order changed that is no event (a confirmation more). */
export async function touchOrder(tx: Database, orderId: string, at: Date): Promise<void> {
  await tx.update(orders).set({ updatedAt: at }).where(eq(orders.id, orderId));
}

/** Writes one line of an order's log. Only `transition` changes the state as well. */
export async function insertEvent(
  tx: Database,
  orderId: string,
  event: Event,
  fromStatus: OrderStatus | null,
  toStatus: OrderStatus | null,
): Promise<void> {
  await tx
    .insert(orderEvents)
    .values({ orderId, kind: event.kind, fromStatus, toStatus, data: event.data ?? {}, at: event.at });
}
