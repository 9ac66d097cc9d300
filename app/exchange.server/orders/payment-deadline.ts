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
 * SQL condition, in queries that join orders and chains: the order's chain has been read past its payment deadline, so
 * all deposits made in time are known.
 */
export const isReadThrough = and(eq(chainStates.synced, true), lt(paymentDeadlineSql, chainStates.scannedThrough));

/** Whether a deposit's block is later than the payment deadline. Block time counts, not our clock. */
export function isLate(order: Deadline, deposit: { blockTime: Date }): boolean {
  return deposit.blockTime > paymentDeadline(order);
}
