import type { Decision, Order, Quote } from "~/api/contract";
import { isTooLateForRest } from "~/swaps/order-rules";
import { toRefund } from "~/swaps/order-sums";

/** How long the exchange may take to make an offer. */
const offerDelayMs = 5_000;

/** What the page offers to the owner of an order that needs a decision. */
export type OfferedChoices = {
  canAccept: boolean;
  /** When the locked price ends. */
  lockEndsMs: number;
  offer: Quote | null;
  canRefund: boolean;
  /** What a refund would send. */
  refund: string;
  isRefundable: boolean;
  onlyRefund: boolean;
  /** Whether the amount could be swapped at a new price, and there is none. */
  lacksOffer: boolean;
  count: number;
};

/** The choices that the exchange allows and that are still open. The page may have been loaded before a price ended. */
export function toOfferedChoices(
  order: Order,
  { choices, reason, offer: newest }: Decision,
  { cost, graceSeconds, nowMs }: { cost: string; graceSeconds: number; nowMs: number },
): OfferedChoices {
  const isAllowed = (choice: Decision["choices"][number]) => choices.includes(choice);
  const lockEndsMs = Date.parse(order.expires_at) + graceSeconds * 1000;
  const canAccept = isAllowed("accept") && lockEndsMs >= nowMs;
  const offer = isAllowed("requote") ? newest : null;
  // The exchange makes the offer right after it asks for the decision, or after the locked price ends.
  const asksFromMs = isAllowed("accept") ? lockEndsMs : isAllowed("requote") ? Date.parse(order.updated_at) : 0;
  const awaitsOffer = !canAccept && !offer && nowMs - asksFromMs < offerDelayMs;
  const onlyRefund = !canAccept && !offer && !awaitsOffer;
  const refund = toRefund(order, cost);
  const isRefundable = refund !== "0";
  const canRefund = isAllowed("refund") && isRefundable;
  // There is never a price for an amount below the minimum.
  const lacksOffer = onlyRefund && reason !== "below_minimum" && (reason === "late" || isTooLateForRest(order, nowMs));
  const count = [canAccept, offer, canRefund].filter(Boolean).length;
  return { canAccept, lockEndsMs, offer, canRefund, refund, isRefundable, onlyRefund, lacksOffer, count };
}
