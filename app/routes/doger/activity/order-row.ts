import type { CurrentRates, Order } from "~/api/contract";
import { toStanding } from "~/swaps/order-rules";
import { toStatusBadge } from "~/swaps/status-badges";

/** The data for one row of the swaps table. */
export type ListedOrder = ReturnType<typeof toOrderRow>;

/** Statuses in which the customer doesn't receive the target asset. */
const notPaidOut: readonly Order["status"][] = ["expired", "cancelled", "refunding", "refunded"];

/** @param rates null if they are unknown */
export function toOrderRow(order: Order, rates: CurrentRates | null, nowMs: number) {
  const { id, quote_id, created_at, exchange_rate } = order;
  const { source_asset_symbol, source_amount, target_asset_symbol, target_amount } = order;
  return {
    id,
    quote_id,
    created_at,
    exchange_rate,
    source_asset_symbol,
    source_amount,
    target_asset_symbol,
    target_amount,
    isPaidOut: !notPaidOut.includes(order.status),
    badge: toStatusBadge(order, toStanding(order, rates, nowMs)),
  };
}
