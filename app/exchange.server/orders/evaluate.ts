import { addMs } from "../../lib/durations";
import type { DecisionReason } from "../../lib/order-states";
import { findLimitProblem, type Price } from "../../lib/price";
import type { ExchangeConfig } from "../context";
import type { OrderRow } from "../db/schema/orders";
import type { DepositGroup } from "./held-deposits";
import { maxFillable, priceAtLockedRate, toOrderPair } from "./order-price";
import { isLate, paymentDeadline } from "./payment-deadline";

type Verdict =
  | { kind: "wait" }
  /** Every deposit was removed by a reorg. */
  | { kind: "no_deposit" }
  | { kind: "fill"; price: Price }
  | { kind: "decide"; reason: DecisionReason };

/**
 * What to do with a `confirming` order. Pure.
 *
 * If the confirmed deposits that arrived on time cover the quoted amount, the order is filled at its locked rate: the
 * whole amount up to the tolerance, otherwise the quoted amount. If they do not, the order waits for pending deposits,
 * unless they are so late that anyone could keep it waiting by sending more. Then the user decides. The reason is the
 * first of these that applies: late, below the minimum, underpaid.
 */
export function evaluate(order: OrderRow, seen: DepositGroup[], config: ExchangeConfig): Verdict {
  const deposits = seen.filter((deposit) => deposit.status !== "failed");
  if (deposits.length === 0) return { kind: "no_deposit" };
  const onTime = sum(deposits.filter((d) => d.status === "confirmed" && !isLate(order, d)));
  if (onTime >= order.sourceAmount) {
    const withinTolerance = onTime <= maxFillable(order, config.overpaidToleranceBps);
    return { kind: "fill", price: priceAtLockedRate(order, withinTolerance ? onTime : order.sourceAmount, config) };
  }
  const confirmed = deposits.filter((deposit) => deposit.status === "confirmed");
  const isAwaited = (d: DepositGroup) =>
    d.status === "pending" && d.blockTime <= addMs(paymentDeadline(order), order.graceMs);
  if (confirmed.length === 0 || deposits.some(isAwaited)) return { kind: "wait" };
  if (deposits.some((deposit) => isLate(order, deposit))) return { kind: "decide", reason: "late" };
  const isTooSmall = findLimitProblem(onTime, toOrderPair(order), config)?.kind === "too-small";
  return { kind: "decide", reason: isTooSmall ? "below_minimum" : "underpaid" };
}

function sum(deposits: DepositGroup[]): bigint {
  return deposits.reduce((total, deposit) => total + deposit.left, 0n);
}
