/** What pages derive from an order, besides its status. */
import type { CurrentRates, Order, Transaction } from "~/api/contract";
import { minuteMs } from "~/lib/durations";
import { parseAmount } from "~/lib/money";
import { findLimitProblem } from "~/lib/price";
import { toPair, toPriceTerms } from "~/lib/published-rates";
import { toDecidedAmount, toMissing, toReceived, toRefund } from "./order-sums";

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

/** What a refund of the order costs: as stated for its decision, or else the current cost. */
export function toRefundCost({ decision, source_asset_symbol: source }: Order, rates: CurrentRates): string {
  return decision?.refund_cost ?? rates.refund_cost[source];
}

/**
 * Whether what has arrived is below the minimum at the current rate, so that the exchange does not make an offer for
 * it.
 */
export function isTooSmall(order: Order, rates: CurrentRates): boolean {
  const { source_asset_symbol: source, target_asset_symbol: target } = order;
  const pair = toPair({ source, target }, rates);
  if (!pair) return false;
  return findLimitProblem(parseAmount(toDecidedAmount(order), source), pair, toPriceTerms(rates))?.kind === "too-small";
}

/** What depends on the time and the rates, not only on an order's status. */
export type OrderStanding = {
  /** The time to pay has ended, and a payment already sent may still count. */
  isInGrace: boolean;
  /** What has arrived is too little for either a swap or a refund. */
  isStuck: boolean;
};

/** @param rates null if they are unknown */
export function toStanding(order: Order, rates: CurrentRates | null, nowMs: number): OrderStanding {
  return { isInGrace: isGrace(order, nowMs), isStuck: isStuck(order, rates, nowMs) };
}

/**
 * Whether the customer has nothing to choose from, even if there were a new price. After a failed payout, there is
 * never a new price.
 */
function isStuck(order: Order, rates: CurrentRates | null, nowMs: number): boolean {
  const { decision } = order;
  if (!decision || canTopUp(order, nowMs) || decision.choices.some((choice) => choice !== "refund")) return false;
  const refundCost = rates ? toRefundCost(order, rates) : decision.refund_cost;
  if (refundCost === undefined || toRefund(order, refundCost) !== "0") return false;
  return decision.reason === "payout_failed" || (rates !== null && isTooSmall(order, rates));
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

/**
 * Whether a part of the agreed amount may be late. A payment may be late if its block is from after `expires_at`: it still
 * counts in the grace period. If its chain has no block times, the time when we saw it is used.
 */
export function mayBeLate(order: Order): boolean {
  const { incoming_txs, source_asset_symbol: asset, source_amount, expires_at } = order;
  const endMs = Date.parse(expires_at);
  const late = incoming_txs
    .filter((tx) => tx.status !== "failed" && Date.parse(tx.block_time ?? tx.created_at) > endMs)
    .reduce((sum, { amount }) => sum + parseAmount(amount, asset), 0n);
  return parseAmount(toReceived(order), asset) - late < parseAmount(source_amount, asset);
}

/** Whether a deposit has to wait for finality, which takes much longer than its confirmations. */
export function awaitsFinality({ incoming_txs }: Pick<Order, "incoming_txs">): boolean {
  return incoming_txs.some(({ awaits_finality }) => awaits_finality);
}
