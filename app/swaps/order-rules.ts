/** What pages derive from an order, besides its status. */
import type { Order, Transaction } from "~/api/contract";
import { minuteMs } from "~/lib/durations";
import { parseAmount } from "~/lib/money";
import { toMissing, toReceived, toRefund } from "./order-sums";

/** Whether the time to pay has ended while a payment already sent may still count. The customer must not pay now. */
export function isGrace(order: Order, nowMs: number): boolean {
  return order.status === "awaiting_deposit" && Date.parse(order.expires_at) <= nowMs;
}

/** Whether the decision is about an underpayment, so that the customer may send the rest while the price is locked. */
export function isTooLittle({ decision }: Order): boolean {
  return decision?.reason === "underpaid" || decision?.reason === "below_minimum";
}

/** Whether an underpayment is being confirmed and the rest may be sent at the locked price. */
export function canSendRest(order: Order, nowMs: number): boolean {
  return order.status === "confirming" && isRestInTime(order, nowMs);
}

/** Whether a decision is about an underpayment and the rest may still be sent instead. */
export function canTopUp(order: Order, nowMs: number): boolean {
  return isTooLittle(order) && isRestInTime(order, nowMs);
}

/** After `expires_at` we do not suggest a payment, because it might arrive too late. */
function isRestInTime(order: Order, nowMs: number): boolean {
  return toMissing(order) !== "0" && Date.parse(order.expires_at) > nowMs;
}

/**
 * Whether the owner has no choice, because what has arrived is too little for either a swap or a refund, which costs
 * `refundCost`. False if that is not known.
 */
export function lacksChoice(order: Order, nowMs: number, refundCost = order.decision?.refund_cost): boolean {
  const { decision } = order;
  if (!decision || refundCost === undefined || canTopUp(order, nowMs)) return false;
  return decision.choices.every((choice) => choice === "refund") && toRefund(order, refundCost) === "0";
}

/** Whether too little has arrived and the time to send the rest has ended. */
export function isTooLateForRest(order: Order, nowMs: number): boolean {
  return isTooLittle(order) && Date.parse(order.expires_at) <= nowMs;
}

/**
 * When a payout delayed by account recovery or by a new address may be sent (ISO 8601). Null if the payout is not
 * delayed.
 */
export function toPayoutDelay({ payout_not_before }: Order, nowMs: number): string | null {
  return payout_not_before !== null && Date.parse(payout_not_before) > nowMs ? payout_not_before : null;
}

/**
 * When a refund to an address that was changed recently may be sent (ISO 8601). Null if no refund waits. A replacement
 * of a payment also waits, but only for seconds, so it is ignored.
 */
export function toRefundDelay({ status, outgoing_txs }: Order, nowMs: number): string | null {
  if (status === "on_hold") return null;
  const waiting = outgoing_txs.find(
    ({ purpose, waits_until }) =>
      purpose === "refund" && waits_until !== undefined && Date.parse(waits_until) > nowMs + minuteMs,
  );
  return waiting?.waits_until ?? null;
}

/** After this time, a payment to the customer takes longer than usual, and an operator has been alerted. */
const slowMs = 30 * minuteMs;

/** Whether a payout or refund that was due long ago is not final yet. */
export function isSlow({ status, outgoing_txs, payout_not_before }: Order, nowMs: number): boolean {
  if (status === "on_hold") return false;
  const dueMs = ({ purpose, created_at, waits_until }: Transaction) =>
    Math.max(
      ...[created_at, waits_until, purpose === "payout" ? payout_not_before : null].map((at) =>
        Date.parse(at ?? created_at),
      ),
    );
  return outgoing_txs.some((tx) => tx.status === "pending" && dueMs(tx) + slowMs <= nowMs);
}

/** Whether less than agreed was seen before the time to pay ended. */
export function isSeenLate(order: Order): boolean {
  const { incoming_txs, source_asset_symbol: asset, source_amount, expires_at } = order;
  const late = incoming_txs
    .filter(({ status, created_at }) => status !== "failed" && Date.parse(created_at) > Date.parse(expires_at))
    .reduce((sum, { amount }) => sum + parseAmount(amount, asset), 0n);
  return parseAmount(toReceived(order), asset) - late < parseAmount(source_amount, asset);
}

/** Whether a deposit has to wait for finality, which takes much longer than its confirmations. */
export function awaitsFinality({ incoming_txs }: Pick<Order, "incoming_txs">): boolean {
  return incoming_txs.some(({ awaits_finality }) => awaits_finality);
}
