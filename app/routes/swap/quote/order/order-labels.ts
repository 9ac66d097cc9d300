/** The texts for each order status: what happened, whether the customer's money is safe, and what to do next. */
import type { Decision, Order, Transaction } from "~/api/contract";
import { formatDuration } from "~/lib/durations";
import { finalityTime } from "~/lib/finality-time";
import { formatAmount, parseAmount } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import { formatExactMoney, formatMoney } from "~/lib/shown-amount";
import { toSentence } from "~/lib/to-sentence";
import {
  awaitsFinality,
  canSendRest,
  isTooLateForRest,
  mayBeLate,
  toPayoutDelay,
  toRefundDelay,
} from "~/swaps/order-rules";
import {
  isPaidAgain,
  isRefundedLater,
  listRefunds,
  toDecidedAmount,
  toMissing,
  toNoRefundReason,
  toProgress,
  toReceived,
  toRefund,
  toSurplus,
} from "~/swaps/order-sums";

export type OrderLabels = { title: string; lede: string };

export function toGraceLabels(graceSeconds: number): OrderLabels {
  const grace = formatDuration(graceSeconds * 1000);
  return {
    title: "Please don't send anything now",
    lede: `The time to pay has ended. A payment you sent still counts if it arrives within ${grace} after the deadline.`,
  };
}

export function toOrderLabels(order: Order, style: NumberStyle, nowMs: number): OrderLabels {
  const source = formatMoney(order.source_amount, order.source_asset_symbol, style);
  const target = formatMoney(order.target_amount, order.target_asset_symbol, style);
  const received = formatMoney(toReceived(order), order.source_asset_symbol, style);
  const hasArrived = toReceived(order) !== "0";
  switch (order.status) {
    case "awaiting_deposit":
      return {
        title: `Send exactly ${formatExactMoney(order.source_amount, order.source_asset_symbol, style)}`,
        lede: `We then pay out ${target} to you. This page updates automatically when your payment arrives.`,
      };
    case "confirming":
      return { title: `We've seen your ${received}`, lede: toConfirmingLede(order, style, nowMs) };
    case "needs_decision":
      return order.decision
        ? toDecisionLabels(order, order.decision, style, nowMs)
        : { title: "We need your decision", lede: "Your money is safe with us until you choose." };
    case "paying_out":
      if (toPayoutDelay(order, nowMs)) {
        return {
          title: `${target} is reserved for you`,
          lede: `Your payment is confirmed, and the price no longer changes.${toSurplusText(order, style)}`,
        };
      }
      return {
        title: hasSent(order, "payout") ? `${target} is on its way` : `We're sending you ${target}`,
        lede: `Your payment is confirmed. There is nothing more you need to do.${hasSent(order, "payout") ? "" : showsOnceSent}${toSurplusText(order, style)}`,
      };
    case "completed":
      if (isPaidAgain(order)) {
        return {
          title: `We're sending you ${target} again`,
          lede: `The first transaction is no longer on the blockchain. There is nothing you need to do.${toSurplusText(order, style)}`,
        };
      }
      return {
        title: `${target} delivered`,
        lede: `We swapped ${source}. The payout is final.${toSurplusText(order, style)}`,
      };
    case "refunding":
      return toRefundingLabels(order, nowMs);
    case "refunded":
      return toRefundedLabels(order, nowMs);
    case "expired":
      return {
        title: "The time to pay has ended",
        lede: hasArrived
          ? "Your payment arrived after the deadline and is safe. Once the network has confirmed it, this page will ask you what to do."
          : toNothingArrivedText(order),
      };
    case "cancelled":
      return {
        title: "This swap was cancelled",
        lede: hasArrived
          ? `A payment arrived anyway. ${toLateRefundText(order)}`
          : "We received nothing. If money still arrives at its address, we send it back automatically, less the network fee.",
      };
    case "on_hold":
      return { title: "This swap is on hold", lede: toHoldLede(order) };
  }
}

/** Whether a payment for this purpose is on the network. Until then it has no hash. */
function hasSent({ outgoing_txs }: Order, purpose: Transaction["purpose"]): boolean {
  return outgoing_txs.some((tx) => tx.purpose === purpose && tx.status !== "failed" && tx.hash !== null);
}

/** A payment can wait long before it is sent, for example while payments are stopped. */
const showsOnceSent = " This page shows the transaction once it is sent.";

/** A payment on another network never appears, so the text must not reassure customers who used one. */
function toNothingArrivedText({ source_asset_symbol: asset }: Order): string {
  const isUsdt = asset === "USDT";
  return `No payment has reached us. If you sent ${isUsdt ? "USDT on Ethereum" : asset}, don't worry: we still watch the address, and this page will ask you what to do.${isUsdt ? " If you used another network or coin, it can't reach us: see the help below." : ""}`;
}

function toRefundingLabels(order: Order, nowMs: number): OrderLabels {
  if (toRefundDelay(order, nowMs)) {
    return {
      title: `We'll send your ${order.source_asset_symbol} back`,
      lede: "It goes to your new refund address. Your money is safe.",
    };
  }
  return hasSent(order, "refund")
    ? {
        title: `Your ${order.source_asset_symbol} is on its way back to you`,
        lede: "We sent it to your refund address.",
      }
    : {
        title: `We're sending your ${order.source_asset_symbol} back`,
        lede: `It goes to your refund address.${showsOnceSent}`,
      };
}

function toRefundedLabels(order: Order, nowMs: number): OrderLabels {
  switch (toNoRefundReason(order)) {
    case "too_little":
      return {
        title: "There was too little to send back",
        lede: "The amount we received is less than the network fee for sending it back. We'll hold it and send it back once the fee is low enough.",
      };
    case "nothing":
      return {
        title: "There was nothing to send back",
        lede: "The payment we saw is no longer on its blockchain, so we received nothing.",
      };
    case "confirming":
      return {
        title: "A payment arrived after this swap ended",
        lede: "Once the network has confirmed it, we send it back to your refund address, less the network fee.",
      };
    case null:
      if (isRefundedLater(order)) return toRefundingLabels(order, nowMs);
      return {
        title: `Your ${order.source_asset_symbol} has been refunded`,
        lede: "We sent it to your refund address. The transaction is confirmed.",
      };
  }
}

/** What happens to a payment to a cancelled order. */
function toLateRefundText(order: Order): string {
  const { set_aside_amount = "0", incoming_txs } = order;
  const refunds = listRefunds(order);
  const isOnItsWay = [...incoming_txs, ...refunds].some(({ status }) => status === "pending");
  if (refunds.length > 0 && !isOnItsWay) return "We sent it back to your refund address.";
  if (!isOnItsWay && set_aside_amount !== "0")
    return "It is worth less than the network fee for sending it back. We send it back once the fee is low enough.";
  return "It is sent back automatically, less the network fee.";
}

/** Explains the automatic refunds of an overpayment. */
function toSurplusText(order: Order, style: NumberStyle): string {
  const refunds = listRefunds(order);
  if (refunds.length === 0) return "";
  const asset = order.source_asset_symbol;
  const total = refunds.reduce((sum, { amount }) => sum + parseAmount(amount, asset), 0n);
  const isSent = refunds.every(({ status }) => status === "confirmed");
  return ` ${formatMoney(formatAmount(total, asset), asset, style)} that this swap didn't need ${isSent ? "was sent" : "is being sent"} back to you.`;
}

/** Worded conditionally, because the payment may be in the grace period, or its chain may have no block times. */
const seenLateText =
  "We saw it, or part of it, after the time to pay had ended. If that was sent too late, this page asks you what to do once it is confirmed.";

const nothingToDo = "There is nothing you need to do: you can close this page, and the swap continues.";

/** Without the count of confirmations, which changes with each block. */
export function toSteadyLede(order: Order, style: NumberStyle, nowMs: number): string {
  return `It is being confirmed. ${toConfirmingAdvice(order, style, nowMs)}`;
}

function toConfirmingLede(order: Order, style: NumberStyle, nowMs: number): string {
  const progress = toProgress(order);
  if (!progress || progress.required <= 1) return toSteadyLede(order, style, nowMs);
  return `${progress.confirmations} of ${progress.required} confirmations. ${toConfirmingAdvice(order, style, nowMs)}`;
}

function toConfirmingAdvice(order: Order, style: NumberStyle, nowMs: number): string {
  return toFinalityText(order) + toNextText(order, style, nowMs);
}

function toFinalityText(order: Order): string {
  return awaitsFinality(order)
    ? `We also wait until Ethereum can no longer undo your payment, which takes ${finalityTime} in all. `
    : "";
}

function toNextText(order: Order, style: NumberStyle, nowMs: number): string {
  const missing = toMissing(order);
  if (missing === "0") return mayBeLate(order) ? seenLateText : toSurplusAdvice(order, style) + nothingToDo;
  const next = canSendRest(order, nowMs)
    ? "Send the rest while the price is locked, or choose what to do once it is confirmed."
    : "Once it is confirmed, this page asks you what to do.";
  return `You sent ${formatExactMoney(missing, order.source_asset_symbol, style)} less than agreed. ${next}`;
}

/** What happens to an amount beyond the agreed one, such as a payment that was made twice. */
function toSurplusAdvice(order: Order, style: NumberStyle): string {
  const surplus = toSurplus(order);
  if (surplus === "0") return "";
  return `You sent ${formatExactMoney(surplus, order.source_asset_symbol, style)} more than agreed. We swap a small excess that arrived in time at the locked price, and send any other excess back to your refund address, less the network fee, once it is worth more than that fee. `;
}

function toDecisionLabels(order: Order, decision: Decision, style: NumberStyle, nowMs: number): OrderLabels {
  const { reason, refund_cost: refundCost = "0" } = decision;
  const asset = order.source_asset_symbol;
  const decided = { ...order, received_amount: toDecidedAmount(order) };
  const received = formatMoney(decided.received_amount, asset, style);
  const missing = formatExactMoney(toMissing(decided), asset, style);
  // An amount that isn't larger than the network fee can't be sent back.
  const orGetBack = (text: string) => (toRefund(order, refundCost) === "0" ? "" : text);
  if (isTooLateForRest(decided, nowMs)) {
    return {
      title:
        reason === "below_minimum"
          ? "The amount is below the minimum"
          : `${received} has arrived, ${missing} less than agreed`,
      lede: `${received} has arrived and is safe. The time to send the rest has ended: please don't send more.`,
    };
  }
  switch (reason) {
    case "late":
      return {
        title: `Your ${asset} arrived too late`,
        lede: `${received} has arrived and is safe. The locked price has expired.`,
      };
    case "underpaid":
      return {
        title: `${missing} is still missing`,
        lede: `${received} has arrived and is safe. Swap this amount${orGetBack(" or get it back")}, or send the rest while the price is locked.`,
      };
    case "below_minimum":
      return {
        title: "The amount is below the minimum",
        lede: `${received} has arrived and is safe. Send the missing ${missing} while the price is locked${orGetBack(", or get back what arrived")}.`,
      };
    case "above_maximum":
      return {
        title: "The amount is above the maximum",
        lede: `${received} has arrived and is safe. Choose what to do next.`,
      };
    case "payout_failed":
      return {
        title: "We couldn't make the payout",
        lede: `${received} has arrived and is safe, and nothing was paid out.${orGetBack(" You can get it back.")}`,
      };
  }
}

/** The reason was written for the customer, by the exchange or an operator. */
function toHoldLede({ hold }: Order): string {
  const reason = toSentence(hold?.reason ?? "") || "Our team needs to review it first.";
  return `${reason} Your money is safe in the meantime.`;
}
