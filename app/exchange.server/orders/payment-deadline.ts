import { and, eq, lt, sql } from "drizzle-orm";
import { addMs } from "../../lib/durations";
import { chainStates } from "../db/schema/chains";
import { type OrderRow, orders } from "../db/schema/orders";

type Deadline = Pick<OrderRow, "expiresAt" | "graceMs">;

/** The last block time that still counts as on time: the published expiry plus the grace period. */
export function paymentDeadline(order: Deadline): Date {
  return addMs(order.expiresAt, order.graceMs);
}

/** `paymentDeadline` in a query of orders. */
export const paymentDeadlineSql = sql<Date>`(${orders.expiresAt} + ${orders.graceMs} * interval '1 millisecond')`;

/**
 * The condition, in a query that joins orders and chains, that an order's chain was read past its payment deadline, so
 * that all deposits made in time are known.
 */
export const isReadThrough = and(eq(chainStates.synced, true), lt(paymentDeadlineSql, chainStates.scannedThrough));

/** Whether a deposit's block is later than the payment deadline. Block time counts, not our clock. */
export function isLate(order: Deadline, deposit: { blockTime: Date }): boolean {
  return deposit.blockTime > paymentDeadline(order);
}
