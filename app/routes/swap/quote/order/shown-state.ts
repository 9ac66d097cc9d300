import type { Order } from "~/api/contract";
import type { NumberStyle } from "~/lib/number-style";
import { formatMoney } from "~/lib/shown-amount";
import { toProgress } from "~/swaps/order-sums";
import { graceBadge, stuckBadge, toStatusBadge } from "~/swaps/status-badges";
import type { Tone } from "~/ui/note";
import { type OrderLabels, toGraceLabels, toOrderLabels } from "./order-labels";
import type { OrderSituation } from "./situation";

export type ShownState = OrderLabels & { badge: { label: string; tone: Tone } };

type TabContext = { numbers: NumberStyle; nowMs: number };
type Context = TabContext & { graceSeconds: number };

/** The order's state in the page's title and badge. A payment under way comes first: it must not be made twice. */
export function toShownState(
  order: Order,
  { underWay, isInGrace, isStuck }: OrderSituation,
  { numbers, nowMs, graceSeconds }: Context,
): ShownState {
  if (underWay) {
    const amount = formatMoney(underWay.amount, order.source_asset_symbol, numbers);
    return underWay.state === "asked" ? toAskedState(amount) : toSentState(amount);
  }
  if (isInGrace) return { ...toGraceLabels(graceSeconds), badge: graceBadge };
  const labels = toOrderLabels(order, numbers, nowMs);
  return { ...labels, badge: isStuck ? stuckBadge : toStatusBadge(order, nowMs) };
}

/** The document title, which starts with the order's progress. */
export function toTabTitle(order: Order, situation: OrderSituation, context: TabContext): string {
  return `${toTabText(order, situation, context)} · Antelope`;
}

function toTabText(
  order: Order,
  { underWay, isInGrace, isStuck }: OrderSituation,
  { numbers, nowMs }: TabContext,
): string {
  if (underWay) return underWay.state === "asked" ? "Check your wallet" : "Sent";
  if (isInGrace) return graceBadge.label;
  if (isStuck) return stuckBadge.label;
  if (order.status === "awaiting_deposit")
    return `Send ${formatMoney(order.source_amount, order.source_asset_symbol, numbers)}`;
  const progress = order.status === "confirming" ? toProgress(order) : null;
  if (progress && progress.required > 1) return `${progress.confirmations}/${progress.required} confirmed`;
  return toStatusBadge(order, nowMs).label;
}

function toSentState(amount: string): ShownState {
  return {
    title: `Your ${amount} is on its way to us`,
    lede: "Don't send it again. We're watching the chain for it, and this page updates automatically.",
    badge: { label: "Sent", tone: "waiting" },
  };
}

/** While the wallet asks its owner, and if this page was left before the wallet answered. */
function toAskedState(amount: string): ShownState {
  return {
    title: "Check your wallet",
    lede: `It was asked to send ${amount}. If it has, don't pay again: this page updates once we see the payment.`,
    badge: { label: "Waiting for your wallet", tone: "waiting" },
  };
}
