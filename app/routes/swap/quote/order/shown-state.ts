import type { Order } from "~/api/contract";
import type { NumberStyle } from "~/lib/number-style";
import { formatMoney } from "~/lib/shown-amount";
import { toProgress } from "~/swaps/order-sums";
import { toStatusBadge } from "~/swaps/status-badges";
import type { Tone } from "~/ui/note";
import { type OrderLabels, toGraceLabels, toOrderLabels } from "./order-labels";
import type { OrderSituation } from "./situation";

export type ShownState = OrderLabels & { badge: { label: string; tone: Tone } };

type Context = { numbers: NumberStyle; nowMs: number; graceSeconds: number };

/** The order's state in the page's title and badge. A payment under way comes first: it must not be made twice. */
export function toShownState(
  order: Order,
  situation: OrderSituation,
  { numbers, nowMs, graceSeconds }: Context,
): ShownState {
  const { underWay, isInGrace } = situation;
  if (underWay) {
    const amount = formatMoney(underWay.amount, order.source_asset_symbol, numbers);
    return underWay.state === "asked" ? toAskedState(amount) : toSentState(amount);
  }
  const labels = isInGrace ? toGraceLabels(graceSeconds) : toOrderLabels(order, numbers, nowMs);
  return { ...labels, badge: toStatusBadge(order, situation) };
}

/** The document title, which starts with the order's progress. */
export function toTabTitle(order: Order, situation: OrderSituation, numbers: NumberStyle): string {
  return `${toTabText(order, situation, numbers)} · Antelope`;
}

function toTabText(order: Order, situation: OrderSituation, numbers: NumberStyle): string {
  const { underWay, isInGrace } = situation;
  if (underWay) return underWay.state === "asked" ? "Check your wallet" : "Sent";
  if (order.status === "awaiting_deposit" && !isInGrace)
    return `Send ${formatMoney(order.source_amount, order.source_asset_symbol, numbers)}`;
  const progress = order.status === "confirming" ? toProgress(order) : null;
  if (progress && progress.required > 1) return `${progress.confirmations}/${progress.required} confirmed`;
  return toStatusBadge(order, situation).label;
}

function toSentState(amount: string): ShownState {
  return {
    title: `Your ${amount} is on its way to us`,
    lede: "Don't send it again. We're watching the chain for it, and this page updates automatically.",
    badge: { label: "Sent", tone: "waiting" },
  };
}

/** Shown while the wallet asks its owner, and if the visitor left this page before the wallet responded. */
function toAskedState(amount: string): ShownState {
  return {
    title: "Check your wallet",
    lede: `It was asked to send ${amount}. If it has, don't pay again: this page updates once we see the payment.`,
    badge: { label: "Waiting for your wallet", tone: "waiting" },
  };
}
