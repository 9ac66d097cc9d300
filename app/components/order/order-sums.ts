import type { Order } from "~/api/contract";
import { formatAmount, parseAmount } from "~/lib/money";

/** What has come for an order so far and did not vanish again, as a decimal. */
export function toReceived(order: Pick<Order, "incoming_txs" | "source_asset_symbol">): string {
  return formatAmount(receivedUnits(order), order.source_asset_symbol);
}

/** What is still missing of what was to be sent; "0" where nothing is. */
export function toMissing(order: Pick<Order, "incoming_txs" | "source_asset_symbol" | "source_amount">): string {
  const missing = parseAmount(order.source_amount, order.source_asset_symbol) - receivedUnits(order);
  return formatAmount(missing > 0n ? missing : 0n, order.source_asset_symbol);
}

/** What a refund of all that came brings, less what sending it costs (a decimal); "0" where nothing would be left. */
export function toRefund(order: Pick<Order, "incoming_txs" | "source_asset_symbol">, cost: string): string {
  const left = receivedUnits(order) - parseAmount(cost, order.source_asset_symbol);
  return formatAmount(left > 0n ? left : 0n, order.source_asset_symbol);
}

/** Whether a refund ended with nothing sent: it would have cost more than what had come. */
export function isKept(order: Pick<Order, "status" | "outgoing_txs">): boolean {
  return order.status === "refunded" && !order.outgoing_txs.some(({ purpose }) => purpose === "refund");
}

function receivedUnits({ incoming_txs, source_asset_symbol }: Pick<Order, "incoming_txs" | "source_asset_symbol">) {
  return incoming_txs
    .filter(({ status }) => status !== "failed")
    .reduce((sum, { amount }) => sum + parseAmount(amount, source_asset_symbol), 0n);
}

/** The deposits that still wait, and how far the slowest of them is. */
export function toProgress(order: Pick<Order, "incoming_txs">): { confirmations: number; required: number } | null {
  const pending = order.incoming_txs.filter(({ status }) => status === "pending");
  const [first] = pending;
  if (!first) return null;
  const slowest = pending.reduce((slow, tx) => (tx.confirmations < slow.confirmations ? tx : slow), first);
  return {
    confirmations: Math.min(slowest.confirmations, slowest.required_confirmations),
    required: slowest.required_confirmations,
  };
}
