import type { Order } from "~/api/contract";
import { toShortAddress } from "~/components/addresses/saved-address";
import { Moment } from "~/components/locale/moment";
import { assets, type Network } from "~/lib/assets";
import { toConfirmationWords } from "~/lib/durations";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import type { OrderStatus } from "~/lib/order-states";
import { showMoney, toRoughRate } from "~/lib/shown-amount";
import type { TimelineStep } from "~/ui/timeline";
import { isKept, toProgress, toReceived } from "./order-sums";

type State = TimelineStep["state"];

/** Which step an order is at: payment, confirmations, the way out. */
const stepsOf: Record<OrderStatus, readonly [payment: State, confirmations: State, out: State]> = {
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

type Facts = {
  deliveryName: string;
  requiredConfirmations: number;
  style: NumberStyle;
  /** The time to pay is over, and a payment under way may still count. */
  grace: boolean;
};

/** What happened, what happens now, what comes; from the order alone. */
export function toTimelineSteps(order: Order, facts: Facts): TimelineStep[] {
  const { requiredConfirmations, style, grace } = facts;
  const [payment, confirmations, out] = stepsOf[order.status];
  const rate = formatDecimalText(toRoughRate(order.exchange_rate), style);
  const begun: TimelineStep[] = [
    {
      key: "locked",
      state: "done",
      title: "Price locked",
      detail: (
        <>
          <Moment at={order.created_at} show="time" /> · 1 {order.source_asset_symbol} = {rate}{" "}
          {order.target_asset_symbol}
        </>
      ),
    },
    { key: "payment", state: payment, ...toPayment(order, style, grace) },
  ];
  // Nothing came, so nothing follows.
  if (payment === "problem") return begun;
  return [
    ...begun,
    { key: "confirmations", state: confirmations, ...toConfirmations(order, requiredConfirmations) },
    { key: "out", state: out, ...toWayOut(order, facts) },
  ];
}

function toWayOut(order: Order, { deliveryName, style }: Facts): Pick<TimelineStep, "title" | "detail"> {
  switch (order.status) {
    case "refunding":
    case "refunded":
      return toWayBack(order);
    case "needs_decision":
      return { title: "Then as you choose" };
    default:
      return {
        title: `${showMoney(order.target_amount, order.target_asset_symbol, style)} to you`,
        detail: deliveryName,
      };
  }
}

function toWayBack(order: Order): Pick<TimelineStep, "title" | "detail"> {
  if (isKept(order)) return { title: "Too little to send back", detail: "It stays held for this swap." };
  return { title: `${order.source_asset_symbol} back to you`, detail: toShortAddress(order.refund_address) };
}

function toPayment(order: Order, style: NumberStyle, grace: boolean): Pick<TimelineStep, "title" | "detail"> {
  const asset = order.source_asset_symbol;
  if (grace) return { title: "The time to pay is over", detail: "A payment under way still counts." };
  if (order.status === "awaiting_deposit") {
    return {
      title: `Waiting for your ${showMoney(order.source_amount, asset, style)}`,
      detail: "We watch the chain; you may close this page.",
    };
  }
  if (order.status === "expired") return { title: "Nothing came in time", detail: "We go on watching the address." };
  if (order.status === "cancelled") return { title: "Cancelled before anything came" };
  const count = order.incoming_txs.filter(({ status }) => status !== "failed").length;
  return {
    title: `${showMoney(toReceived(order), asset, style)} received`,
    detail: count > 1 ? `In ${count} payments` : undefined,
  };
}

function toWait(network: Network, left: number): string {
  return left > 0 ? `${toConfirmationWords(network, left)} more` : "The last one is here.";
}

function toConfirmations(order: Order, required: number): Pick<TimelineStep, "title" | "detail"> {
  const { network } = assets[order.source_asset_symbol];
  if (order.status === "needs_decision")
    return { title: "Waiting for your decision", detail: "Your money is safe meanwhile." };
  if (order.status === "on_hold") return { title: "On hold", detail: "Your money is safe meanwhile." };
  const expected = stepsOf[order.status][1] === "done" ? undefined : toConfirmationWords(network, required);
  if (required <= 1) return { title: "In a block, final", detail: expected };
  const progress = order.status === "confirming" ? toProgress(order) : null;
  if (progress) {
    return {
      title: `${progress.confirmations} of ${progress.required} confirmations`,
      detail: toWait(network, progress.required - progress.confirmations),
    };
  }
  return { title: `${required} confirmations`, detail: expected };
}
