import type { Order } from "~/api/contract";
import { type OrderLabels, toGraceLabels, toOrderLabels, toTabTitle } from "~/components/order/order-labels";
import { graceBadge, stuckBadge, type Tone, toStatusBadge } from "~/components/order/status-badges";
import type { NumberStyle } from "~/lib/number-style";
import { formatMoney } from "~/lib/shown-amount";
import type { StoredPayment } from "~/wallet/stored-payment";
import { stuckTitle } from "../too-small";

/** What the page knows besides the order. */
export type OrderSituation = {
  /** A payment of this browser that the exchange has not seen yet. */
  underWay: StoredPayment | null;
  /** The time to pay has ended, and a payment already sent may still count. */
  isInGrace: boolean;
  /** What has arrived is too little for either a swap or a refund. */
  isStuck: boolean;
};

export type ShownState = OrderLabels & { badge: { label: string; tone: Tone }; tabTitle: string };

type Context = { numbers: NumberStyle; nowMs: number; graceSeconds: number };

const toTab = (head: string) => `${head} · Antelope`;

/** The order's state in the page's title, badge and tab. A payment under way comes first: it must not be made twice. */
export function toShownState(
  order: Order,
  { underWay, isInGrace, isStuck }: OrderSituation,
  { numbers, nowMs, graceSeconds }: Context,
): ShownState {
  if (underWay) {
    const amount = formatMoney(underWay.amount, order.source_asset_symbol, numbers);
    return underWay.state === "asked" ? toAskedState(amount) : toSentState(amount);
  }
  if (isInGrace) return { ...toGraceLabels(graceSeconds), badge: graceBadge, tabTitle: toTab(graceBadge.label) };
  const labels = toOrderLabels(order, numbers, nowMs);
  if (isStuck) return { ...labels, badge: stuckBadge, tabTitle: stuckTitle };
  return { ...labels, badge: toStatusBadge(order, nowMs), tabTitle: toTabTitle(order, numbers, nowMs) };
}

function toSentState(amount: string): ShownState {
  return {
    title: `Your ${amount} is on its way to us`,
    lede: "Don't send it again. We're watching the chain for it, and this page updates automatically.",
    badge: { label: "Sent", tone: "waiting" },
    tabTitle: toTab("Sent"),
  };
}

/** While the wallet asks its owner, and if this page was left before the wallet answered. */
function toAskedState(amount: string): ShownState {
  return {
    title: "Check your wallet",
    lede: `It was asked to send ${amount}. If it has, don't pay again: this page updates once we see the payment.`,
    badge: { label: "Waiting for your wallet", tone: "waiting" },
    tabTitle: toTab("Check your wallet"),
  };
}
