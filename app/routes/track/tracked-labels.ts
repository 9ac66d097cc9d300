import type { Tone } from "~/components/order/status-badges";
import type { AssetSymbol } from "~/lib/assets";
import type { OrderStatus } from "~/lib/order-states";

type Labels = { label: string; tone: Tone; title: string; lede: string };

/**
 * The state of a swap for someone who isn't its owner: without actions, and without reasons, which are private.
 * `hasArrived`: a payment has arrived, in time or not.
 */
export function toTrackedLabels(status: OrderStatus, source: AssetSymbol, hasArrived: boolean): Labels {
  switch (status) {
    case "awaiting_deposit":
      return {
        label: "Waiting",
        tone: "waiting",
        title: "Waiting for the payment",
        lede: `The price is locked. The swap continues once the ${source} arrives.`,
      };
    case "confirming":
      return {
        label: "Confirming",
        tone: "waiting",
        title: "The payment has arrived",
        lede: "The network is confirming it.",
      };
    case "needs_decision":
      return {
        label: "Owner's decision",
        tone: "waiting",
        title: "Waiting for the owner's decision",
        lede: "The payment has arrived and is safe. The owner of the swap chooses what happens next.",
      };
    case "paying_out":
      return {
        label: "Paying out",
        tone: "waiting",
        title: "The payment is confirmed",
        lede: "The payout follows, or is already on its way.",
      };
    case "completed":
      return { label: "Done", tone: "good", title: "The swap is complete", lede: "The payout is final." };
    case "refunding":
      return {
        label: "Refunding",
        tone: "waiting",
        title: "The swap is being refunded",
        lede: `The ${source} goes back to the owner of the swap.`,
      };
    case "refunded":
      return {
        label: "Refunded",
        tone: "info",
        title: "The swap was refunded",
        lede: "The payment was sent back, or was too small to send back.",
      };
    case "expired":
      return {
        label: "Not paid in time",
        tone: "info",
        title: "The time to pay has ended",
        lede: hasArrived ? "A payment arrived after the deadline." : "No payment arrived.",
      };
    case "cancelled":
      return {
        label: "Cancelled",
        tone: "info",
        title: "The swap was cancelled",
        lede: hasArrived
          ? "A payment arrived anyway. It is sent back, or was too small to send back."
          : "No payment arrived.",
      };
    case "on_hold":
      return {
        label: "On hold",
        tone: "waiting",
        title: "The swap is on hold",
        lede: "The money is safe. Ask the owner of the swap for details.",
      };
  }
}
