/**
 * What an order's state is called, and what it means for whoever's money it is: what happened,
 * whether the money is safe, what to do. One table, so that no screen says it otherwise.
 */
import type { Order } from "~/api/contract";
import { toDurationWords } from "~/lib/durations";
import type { NumberStyle } from "~/lib/number-style";
import type { DecisionReason, OrderStatus } from "~/lib/order-states";
import { showMoney } from "~/lib/shown-amount";
import { isKept, toMissing, toProgress, toReceived } from "./order-sums";

export type Tone = "info" | "good" | "waiting" | "danger";

export const statusBadges: Record<OrderStatus, { word: string; tone: Tone }> = {
  awaiting_deposit: { word: "Waiting for your payment", tone: "waiting" },
  confirming: { word: "Confirming", tone: "waiting" },
  needs_decision: { word: "Your decision, please", tone: "danger" },
  paying_out: { word: "Paying out", tone: "waiting" },
  completed: { word: "Done", tone: "good" },
  refunding: { word: "On its way back", tone: "waiting" },
  refunded: { word: "Sent back", tone: "info" },
  expired: { word: "Not paid in time", tone: "info" },
  cancelled: { word: "Cancelled", tone: "info" },
  on_hold: { word: "On hold", tone: "danger" },
};

/** What an order is called; a refund that was too little to send is not called sent back. */
export function toStatusBadge(order: Order): { word: string; tone: Tone } {
  return isKept(order) ? { word: "Too little to send back", tone: "info" } : statusBadges[order.status];
}

export type OrderWords = { title: string; lede: string };

/** Between the end of the time to pay and the last block that still counts: whoever has not paid must not begin. */
export function isGrace(order: Order, nowMs: number): boolean {
  return order.status === "awaiting_deposit" && Date.parse(order.expires_at) <= nowMs;
}

export const graceBadge: { word: string; tone: Tone } = { word: "Time is up", tone: "waiting" };

export function toGraceWords(graceSeconds: number): OrderWords {
  return {
    title: "Please send nothing now",
    lede: `The time to pay is over. A payment already on its way still counts: its block may be up to ${toDurationWords(graceSeconds * 1000)} late.`,
  };
}

/** Until when a payout waits, since its account was recovered a moment ago (ISO 8601); null where it does not. */
export function toPayoutWait({ payout_not_before }: Order, nowMs: number): string | null {
  return payout_not_before !== null && Date.parse(payout_not_before) > nowMs ? payout_not_before : null;
}

/** This browser's wallet has sent what is asked for, and no block has brought it to us yet. */
export function toSentWords({ source_amount, source_asset_symbol }: Order, style: NumberStyle): OrderWords {
  return {
    title: `Your ${showMoney(source_amount, source_asset_symbol, style)} is on its way to us`,
    lede: "Send nothing again. We watch the chain for it; this page moves by itself.",
  };
}

/** The badge beside them. */
export const sentBadge = { word: "Sent", tone: "waiting" } as const;

export function toOrderWords(order: Order, style: NumberStyle, nowMs: number): OrderWords {
  const source = showMoney(order.source_amount, order.source_asset_symbol, style);
  const target = showMoney(order.target_amount, order.target_asset_symbol, style);
  const received = showMoney(toReceived(order), order.source_asset_symbol, style);
  switch (order.status) {
    case "awaiting_deposit":
      return {
        title: `Send exactly ${source}`,
        lede: `Then ${target} is paid out to you. We watch for it; this page moves by itself.`,
      };
    case "confirming":
      return { title: `We see your ${received}`, lede: toConfirmingLede(order) };
    case "needs_decision":
      return order.decision
        ? toDecisionWords(order, order.decision.reason, style)
        : { title: "Your decision, please", lede: "Your money is safe with us until you have chosen." };
    case "paying_out":
      if (toPayoutWait(order, nowMs)) {
        return { title: `${target} is set aside for you`, lede: "Your payment is confirmed, and its price is kept." };
      }
      return {
        title: `${target} is on its way`,
        lede: "Your payment is confirmed. There is nothing left for you to do.",
      };
    case "completed":
      return {
        title: `${target} delivered`,
        lede: `For ${source}. It is in a block and final.${toSurplusWords(order, style)}`,
      };
    case "refunding":
      return {
        title: `${order.source_asset_symbol} is on its way back to you`,
        lede: "It goes to the refund address you chose.",
      };
    case "refunded":
      return isKept(order)
        ? {
            title: "There was too little to send back",
            lede: "What came is less than sending it back would cost. It stays held for this swap.",
          }
        : {
            title: `Your ${order.source_asset_symbol} is back with you`,
            lede: "It was sent to the refund address you chose, and is in a block.",
          };
    case "expired":
      return {
        title: "The time to pay is over",
        lede: "Nothing was received, so nothing is lost. Sent it after all? We still watch the address: this page will then ask what you want.",
      };
    case "cancelled":
      return {
        title: "This swap was cancelled",
        lede: "Nothing was received. Money that still comes to its address is sent back by itself.",
      };
    case "on_hold":
      return { title: "This swap is on hold", lede: toHoldLede(order) };
  }
}

/** What came beyond what was agreed goes back by itself. */
function toSurplusWords({ outgoing_txs }: Order, style: NumberStyle): string {
  const back = outgoing_txs.find(({ purpose }) => purpose === "refund");
  if (!back) return "";
  const amount = showMoney(back.amount, back.asset_symbol, style);
  return ` You sent more than that: ${amount} ${back.status === "confirmed" ? "went" : "are on their way"} back to you.`;
}

function toConfirmingLede(order: Order): string {
  const progress = toProgress(order);
  const rest = "Nothing to do: you may close this page, the swap goes on.";
  if (!progress || progress.required <= 1) return `It is being confirmed. ${rest}`;
  return `${progress.confirmations} of ${progress.required} confirmations. ${rest}`;
}

function toDecisionWords(order: Order, reason: DecisionReason, style: NumberStyle): OrderWords {
  const asset = order.source_asset_symbol;
  const received = showMoney(toReceived(order), asset, style);
  const missing = showMoney(toMissing(order), asset, style);
  switch (reason) {
    case "late":
      return {
        title: `Your ${asset} came after the time was up`,
        lede: `${received} is here and safe. The price that was locked is over.`,
      };
    case "underpaid":
      return {
        title: `${missing} is still missing`,
        lede: `${received} is here and safe. Swap what came, or have it back; the rest may still follow while the price is locked.`,
      };
    case "below_minimum":
      return {
        title: "Less came than a swap needs",
        lede: `${received} is here and safe. Send the missing ${missing} while the price is locked, or have it back.`,
      };
    case "above_maximum":
      return { title: "More came than a swap may be", lede: `${received} is here and safe. Choose how to go on.` };
    case "payout_failed":
      return {
        title: "The payout could not be made",
        lede: `Nothing left us, and ${received} is here and safe. You can have it back.`,
      };
  }
}

/** The reason is written for the owner, by the exchange or by an operator. */
function toHoldLede({ hold }: Order): string {
  const reason = hold?.reason.trim().replace(/[^.!?]$/, "$&.") || "Somebody of ours has to look at it first.";
  return `${reason} Your money is safe meanwhile.`;
}

/** The title of the browser's tab: how far it is, before its name. */
export function toTabTitle(order: Order, style: NumberStyle, nowMs: number): string {
  const progress = toProgress(order);
  const head = isGrace(order, nowMs)
    ? graceBadge.word
    : order.status === "confirming" && progress && progress.required > 1
      ? `${progress.confirmations}/${progress.required} confirmed`
      : order.status === "awaiting_deposit"
        ? `Send ${showMoney(order.source_amount, order.source_asset_symbol, style)}`
        : statusBadges[order.status].word;
  return `${head} · Antelope`;
}
