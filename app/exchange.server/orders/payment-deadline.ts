import { addMs } from "../../lib/durations";
import type { OrderRow } from "./transition";

type Deadline = Pick<OrderRow, "expiresAt" | "graceMs">;

/** The last block time that still counts as on time: the published expiry plus the grace period. */
export function paymentDeadline(order: Deadline): Date {
  return addMs(order.expiresAt, order.graceMs);
}

/** Whether a deposit's block is later than the payment deadline. Block time counts, not our clock. */
export function isLate(order: Deadline, deposit: { blockTime: Date }): boolean {
  return deposit.blockTime > paymentDeadline(order);
}
