import type { Order, Transaction } from "~/api/contract";
import { formatAmount, parseAmount } from "~/lib/money";
import { isFinal, type OrderStatus } from "~/lib/order-states";

type Moved = Pick<Transaction, "purpose" | "status">;
type Received = Pick<Order, "received_amount" | "source_asset_symbol"> & {
  incoming_txs: Pick<Transaction, "status" | "amount">[];
};

/** The total received for an order, without failed deposits, as a decimal. */
export function toReceived(order: Received): string {
  return formatAmount(receivedUnits(order), order.source_asset_symbol);
}

/** The amount still missing, as a decimal; "0" if nothing is. */
export function toMissing(
  order: Pick<Order, "received_amount" | "incoming_txs" | "source_asset_symbol" | "source_amount">,
): string {
  const missing = parseAmount(order.source_amount, order.source_asset_symbol) - receivedUnits(order);
  return formatAmount(missing > 0n ? missing : 0n, order.source_asset_symbol);
}

/** How much more than agreed was received, as a decimal; "0" if it is not more. */
export function toSurplus(
  order: Pick<Order, "received_amount" | "incoming_txs" | "source_asset_symbol" | "source_amount">,
): string {
  const surplus = receivedUnits(order) - parseAmount(order.source_amount, order.source_asset_symbol);
  return formatAmount(surplus > 0n ? surplus : 0n, order.source_asset_symbol);
}

/**
 * What a decision about an order covers, as a decimal: what is confirmed and was not refunded. If the exchange doesn't
 * say, or there is no decision, everything received.
 */
export function toDecidedAmount(
  order: Pick<Order, "decision" | "received_amount" | "incoming_txs" | "source_asset_symbol">,
): string {
  return order.decision?.amount ?? toReceived(order);
}

/** The total of the deposits that are being confirmed, as a decimal; "0" if there are none. */
export function toUnconfirmed({
  incoming_txs,
  source_asset_symbol: asset,
}: Pick<Order, "incoming_txs" | "source_asset_symbol">): string {
  const pending = incoming_txs.filter(({ status }) => status === "pending");
  return formatAmount(
    pending.reduce((sum, { amount }) => sum + parseAmount(amount, asset), 0n),
    asset,
  );
}

/** The refund of what a decision covers, minus the cost of sending it, as a decimal; "0" if nothing would be left. */
export function toRefund(
  order: Pick<Order, "decision" | "received_amount" | "incoming_txs" | "source_asset_symbol">,
  cost: string,
): string {
  const asset = order.source_asset_symbol;
  const left = parseAmount(toDecidedAmount(order), asset) - parseAmount(cost, asset);
  return formatAmount(left > 0n ? left : 0n, order.source_asset_symbol);
}

/** The refunds of an order, sent or not, without failed ones. */
export function listRefunds<T extends Moved>({ outgoing_txs }: { outgoing_txs: T[] }): T[] {
  return outgoing_txs.filter(({ purpose, status }) => purpose === "refund" && status !== "failed");
}

/**
 * Why an order with the status `refunded` has no refund: what arrived was worth less than sending it back costs, or it
 * left the chain. `confirming` if a payment is being confirmed. Null for every other order.
 */
export function toNoRefundReason(
  order: Received & { status: OrderStatus; outgoing_txs: Moved[] },
): "too_little" | "nothing" | "confirming" | null {
  if (order.status !== "refunded" || listRefunds(order).length > 0) return null;
  if (order.incoming_txs.some(({ status }) => status === "pending")) return "confirming";
  return receivedUnits(order) > 0n ? "too_little" : "nothing";
}

/** Whether a refund is made after the order has ended: an amount that was too small to send back may be sent later. */
export function isRefundedLater(order: { status: OrderStatus; outgoing_txs: Moved[] }): boolean {
  const refunds = listRefunds(order);
  return order.status === "refunded" && refunds.length > 0 && !refunds.some(({ status }) => status === "confirmed");
}

/** Whether a refund of an order is under way, and no payout. */
export function isSentBack({ outgoing_txs }: { outgoing_txs: Moved[] }): boolean {
  const isOpen = (purpose: Transaction["purpose"]) =>
    outgoing_txs.some((tx) => tx.purpose === purpose && tx.status === "pending");
  return isOpen("refund") && !isOpen("payout");
}

/** Whether a completed order's payout is made again, because a reorg has removed its transaction. */
export function isPaidAgain({ status, outgoing_txs }: { status: OrderStatus; outgoing_txs: Moved[] }): boolean {
  const has = (state: Transaction["status"]) =>
    outgoing_txs.some((tx) => tx.purpose === "payout" && tx.status === state);
  return status === "completed" && has("pending") && !has("confirmed");
}

/** The status that describes what happens to an order now: after it has ended, it may be paid or refunded again. */
export function toShownStatus(order: { status: OrderStatus; outgoing_txs: Moved[] }): OrderStatus {
  if (isRefundedLater(order)) return "refunding";
  return isPaidAgain(order) ? "paying_out" : order.status;
}

/** Whether nothing more happens to an order: its status is final, and nothing is on its way to us or back. */
export function isSettled(status: OrderStatus, ...movements: Moved[][]): boolean {
  return isFinal(status) && !movements.flat().some((tx) => tx.status === "pending");
}

/** If the exchange doesn't return the total, `incoming_txs` contains all deposits. */
function receivedUnits(order: Received): bigint {
  const { received_amount, incoming_txs, source_asset_symbol } = order;
  if (received_amount !== undefined) return parseAmount(received_amount, source_asset_symbol);
  return incoming_txs
    .filter(({ status }) => status !== "failed")
    .reduce((sum, { amount }) => sum + parseAmount(amount, source_asset_symbol), 0n);
}

/**
 * How many deposits that have not failed are not among an order's transactions. If the exchange doesn't return their
 * number, failed ones count, too.
 */
export function countMoreDeposits({
  received_count,
  incoming_count,
  incoming_txs,
}: Pick<Order, "received_count" | "incoming_count" | "incoming_txs">): number {
  if (received_count === undefined) return Math.max(0, (incoming_count ?? 0) - incoming_txs.length);
  return Math.max(0, received_count - incoming_txs.filter(({ status }) => status !== "failed").length);
}

/** The confirmations of the slowest pending deposit. Null if no deposit is pending. */
export function toProgress(order: Pick<Order, "incoming_txs">): { confirmations: number; required: number } | null {
  const pending = order.incoming_txs.filter(({ status }) => status === "pending");
  const [first] = pending;
  if (!first) return null;
  const slowest = pending.reduce((slowest, tx) => (tx.confirmations < slowest.confirmations ? tx : slowest), first);
  return {
    confirmations: Math.min(slowest.confirmations, slowest.required_confirmations),
    required: slowest.required_confirmations,
  };
}
