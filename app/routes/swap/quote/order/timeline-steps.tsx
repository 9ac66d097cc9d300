import type { Order } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { assets, type Network } from "~/lib/assets";
import { formatConfirmationTime } from "~/lib/durations";
import { finalityTime } from "~/lib/finality-time";
import type { NumberStyle } from "~/lib/number-style";
import type { OrderStatus } from "~/lib/order-states";
import { formatMoney, formatRate } from "~/lib/shown-amount";
import { awaitsFinality } from "~/swaps/order-rules";
import {
  countMoreDeposits,
  isSentBack,
  toNoRefundReason,
  toProgress,
  toReceived,
  toShownStatus,
} from "~/swaps/order-sums";
import { toShortAddress } from "~/swaps/saved-address";
import type { TimelineStep } from "~/ui/timeline";
import type { OrderSituation } from "./situation";

type State = TimelineStep["state"];
type StepText = Pick<TimelineStep, "title" | "detail">;

/** The state of each step by order status. The last step is the payout or the refund. */
const stepStates: Record<OrderStatus, readonly [payment: State, confirmations: State, outgoing: State]> = {
  awaiting_deposit: ["current", "todo", "todo"],
  confirming: ["done", "current", "todo"],
  needs_decision: ["done", "current", "todo"],
  paying_out: ["done", "done", "current"],
  completed: ["done", "done", "done"],
  refunding: ["done", "done", "current"],
  refunded: ["done", "done", "done"],
  expired: ["problem", "todo", "todo"],
  cancelled: ["problem", "todo", "todo"],
  on_hold: ["done", "current", "todo"],
};

type TimelineContext = Pick<OrderSituation, "isInGrace" | "isStuck"> & {
  deliveryName: string;
  requiredConfirmations: number;
  style: NumberStyle;
};

/** What has happened, what is happening and what comes next. */
export function toTimelineSteps(order: Order, context: TimelineContext): TimelineStep[] {
  const { requiredConfirmations, style, isInGrace, isStuck } = context;
  const status = toShownStatus(order);
  const [payment, confirmations, outgoing] = stepStates[status];
  const rate = formatRate(order.exchange_rate, style);
  const firstSteps: TimelineStep[] = [
    {
      key: "locked",
      state: "done",
      title: "Price locked",
      detail: (
        <>
          <DateTime at={order.created_at} />
          <br />1 {order.source_asset_symbol} = {rate} {order.target_asset_symbol}
        </>
      ),
    },
    { key: "payment", state: payment, ...toPaymentStep(order, style, isInGrace) },
  ];
  // No payment has arrived, so there are no further steps.
  if (payment === "problem") return firstSteps;
  return [
    ...firstSteps,
    { key: "confirmations", state: confirmations, ...toConfirmationsStep(order, requiredConfirmations, isStuck) },
    { key: "out", state: outgoing, ...toOutgoingStep(order, context) },
  ];
}

const tooLittle: StepText = { title: "Too little to send back", detail: "We'll hold it until the fee is low enough." };

function toOutgoingStep(order: Order, { deliveryName, style, isStuck }: TimelineContext): StepText {
  if (isStuck) return tooLittle;
  switch (order.status) {
    case "refunding":
    case "refunded":
      return toRefundStep(order);
    case "needs_decision":
      return { title: "Payout or refund, as you choose" };
    case "on_hold":
      if (isSentBack(order)) return toRefundStep(order);
      return { title: "Payout or refund" };
    default:
      return {
        title: `${formatMoney(order.target_amount, order.target_asset_symbol, style)} to you`,
        detail: deliveryName,
      };
  }
}

function toRefundStep(order: Order): StepText {
  switch (toNoRefundReason(order)) {
    case "too_little":
      return tooLittle;
    case "nothing":
      return { title: "Nothing to send back" };
    case "confirming":
      return { title: "Waiting for the network" };
    case null:
      return { title: `${order.source_asset_symbol} back to you`, detail: toShortAddress(order.refund_address) };
  }
}

function toPaymentStep(order: Order, style: NumberStyle, isInGrace: boolean): StepText {
  const asset = order.source_asset_symbol;
  if (isInGrace)
    return { title: "The time to pay has ended", detail: "A payment you have already sent may still count." };
  if (order.status === "awaiting_deposit") {
    return {
      title: `Waiting for your ${formatMoney(order.source_amount, asset, style)}`,
      detail: "We're watching for it. You can close this page.",
    };
  }
  if (order.status === "expired")
    return { title: "No payment arrived in time", detail: "We keep watching the address." };
  if (order.status === "cancelled") return { title: "Cancelled before any payment" };
  const shown = order.incoming_txs.filter(({ status }) => status !== "failed").length;
  const count = shown + countMoreDeposits(order);
  return {
    title: `${formatMoney(toReceived(order), asset, style)} received`,
    detail: count > 1 ? `In ${count} payments` : undefined,
  };
}

function toConfirmationsStep(order: Order, required: number, isStuck: boolean): StepText {
  const { network } = assets[order.source_asset_symbol];
  if (isStuck) return { title: "Confirmed", detail: "Your money is safe." };
  if (order.status === "needs_decision") return { title: "Waiting for your decision", detail: "Your money is safe." };
  if (order.status === "on_hold") return { title: "On hold", detail: "Your money is safe." };
  const expected = stepStates[order.status][1] === "done" ? undefined : formatConfirmationTime(network, required);
  if (required <= 1) return { title: "Confirmed in a block", detail: expected };
  const progress = order.status === "confirming" ? toProgress(order) : null;
  if (progress) {
    return {
      title: `${progress.confirmations} of ${progress.required} confirmations`,
      detail: awaitsFinality(order)
        ? `Until Ethereum can no longer undo your payment: ${finalityTime} in all`
        : toTimeLeft(network, progress.required - progress.confirmations),
    };
  }
  return { title: `${required} confirmations`, detail: expected };
}

function toTimeLeft(network: Network, confirmationsLeft: number): string {
  return confirmationsLeft > 0 ? `${formatConfirmationTime(network, confirmationsLeft)} left` : "All confirmed.";
}
