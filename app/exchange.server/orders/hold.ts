import { and, asc, eq, inArray } from "drizzle-orm";
import { toOneLine } from "../../lib/one-line";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { refundOrder } from "./decisions";
import { proceed } from "./deposits";
import { undoFill } from "./fill";
import { orders, payments } from "./tables";
import { lockOrder, type OrderRow, transition } from "./transition";

const holdable = ["confirming", "needs_decision", "paying_out", "refunding"] as const;

/**
 * Stops a funded order: KYC withdrawn, or an operator's word. Money that has begun to leave
 * is not called back. Ends by `releaseOrder`, or in a refund at its deadline.
 * @throws conflict where the order is not funded or its payment is under way
 */
export async function holdOrder(tx: Database, x: ExchangeContext, orderId: string, reason: string): Promise<OrderRow> {
  const order = await lockOrder(tx, orderId);
  if (order.status === "on_hold") return order;
  if (!isHoldable(order) || (await isPaymentUnderWay(tx, orderId))) throw new ExchangeError("conflict");
  const at = await x.clock.now(tx);
  return transition(
    tx,
    order,
    "on_hold",
    { kind: "held", data: { reason }, at },
    {
      holdReason: toOneLine(reason),
      heldFrom: order.status,
      holdDeadline: new Date(at.getTime() + x.config.decisionTtlMs),
    },
  );
}

/** Lets an order go on from where it was held. @throws conflict when it is not on hold */
export async function releaseOrder(tx: Database, x: ExchangeContext, orderId: string): Promise<OrderRow> {
  const order = await lockOrder(tx, orderId);
  const to = holdable.find((status) => status === order.heldFrom);
  if (order.status !== "on_hold" || !to) throw new ExchangeError("conflict");
  const at = await x.clock.now(tx);
  const released = await transition(
    tx,
    order,
    to,
    { kind: "released", at },
    { holdReason: null, heldFrom: null, holdDeadline: null },
  );
  if (to === "confirming") await proceed(tx, x, released, at);
  return released;
}

/** Ends a hold in a refund; a payout that was planned and never prepared is undone first. */
export async function refundHeldOrder(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  by: "clock" | "operator",
): Promise<OrderRow> {
  const at = await x.clock.now(tx);
  if (order.heldFrom === "paying_out") {
    const failed = await tx
      .update(payments)
      .set({ status: "failed", lastError: "the order was refunded while on hold", updatedAt: at })
      .where(and(eq(payments.orderId, order.id), eq(payments.purpose, "payout"), eq(payments.status, "planned")))
      .returning({ id: payments.id });
    if (failed.length === 1) await undoFill(tx, order, at);
  }
  return refundOrder(tx, x, order, { by, at });
}

/**
 * Holds every funded order of an account, in the transaction that takes its approval back;
 * orders whose money is leaving go on.
 */
export async function holdOrdersOf(tx: Database, x: ExchangeContext, accountId: string, reason: string): Promise<void> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(orders.status, [...holdable])))
    .orderBy(asc(orders.id));
  for (const { id } of rows) {
    if (!(await isPaymentUnderWay(tx, id))) await holdOrder(tx, x, id, reason);
  }
}

/** Lets the orders of an account go on that were held for `reason`; what an operator holds stays. */
export async function releaseOrdersOf(
  tx: Database,
  x: ExchangeContext,
  accountId: string,
  reason: string,
): Promise<void> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "on_hold"), eq(orders.holdReason, reason)))
    .orderBy(asc(orders.id));
  for (const { id } of rows) await releaseOrder(tx, x, id);
}

function isHoldable(order: OrderRow): boolean {
  return holdable.some((status) => status === order.status);
}

async function isPaymentUnderWay(tx: Database, orderId: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, ["prepared", "sent"])))
    .limit(1);
  return row !== undefined;
}
