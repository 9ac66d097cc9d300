import type { DecisionReason } from "../../lib/order-states";
import type { ExchangeConfig } from "../context";
import { isWithinLimits, type Price } from "../quotes/price";
import { mostFillable, priceAtLockedRate } from "./fill";
import type { OrderRow } from "./transition";

type SeenDeposit = { status: "pending" | "confirmed" | "failed"; blockTime: Date; left: bigint };

export type Verdict =
  | { kind: "wait" }
  /** Every deposit was reorged away. */
  | { kind: "nothing" }
  | { kind: "fill"; price: Price }
  | { kind: "decide"; reason: DecisionReason };

/** The end of payment as the chain's time decides it: published expiry plus grace. */
export function lastMoment(order: Pick<OrderRow, "expiresAt" | "graceMs">): Date {
  return new Date(order.expiresAt.getTime() + order.graceMs);
}

/** Whether a deposit's block is younger than the end of payment; the chain's clock decides, not ours. */
export function isLate(order: Pick<OrderRow, "expiresAt" | "graceMs">, deposit: { blockTime: Date }): boolean {
  return deposit.blockTime > lastMoment(order);
}

/**
 * What is to be done with a `confirming` order (order-lifecycle, rules 1 to 3). Pure.
 * What came in time and suffices is filled, at the locked rate: up to the tolerance pro
 * rata, beyond it what was quoted. Otherwise, with everything confirmed, the first of
 * late, below minimum, underpaid.
 */
export function evaluate(order: OrderRow, seen: SeenDeposit[], config: ExchangeConfig): Verdict {
  const living = seen.filter((deposit) => deposit.status !== "failed");
  if (living.length === 0) return { kind: "nothing" };
  const inTime = sum(living.filter((d) => d.status === "confirmed" && !isLate(order, d)));
  if (inTime >= order.sourceAmount) {
    const most = mostFillable(order, config.overpaidToleranceBps);
    return { kind: "fill", price: priceAtLockedRate(order, inTime <= most ? inTime : order.sourceAmount, config) };
  }
  if (living.some((deposit) => deposit.status === "pending")) return { kind: "wait" };
  if (living.some((deposit) => isLate(order, deposit))) return { kind: "decide", reason: "late" };
  const pair = { source: order.sourceAsset, target: order.targetAsset, rate: order.rate };
  return { kind: "decide", reason: isWithinLimits(inTime, pair, config) ? "underpaid" : "below_minimum" };
}

function sum(deposits: SeenDeposit[]): bigint {
  return deposits.reduce((total, deposit) => total + deposit.left, 0n);
}
