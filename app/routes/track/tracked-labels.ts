import type { TrackedOrder } from "~/api/contract";
import { toNoRefundReason, toReceived, toShownStatus } from "~/swaps/order-sums";
import type { Tone } from "~/ui/note";

type Labels = { label: string; tone: Tone; title: string; lede: string };

const refundedLabels = {
  sent: { label: "Refunded", tone: "info", title: "The swap was refunded", lede: "The payment was sent back." },
  too_little: {
    label: "Too little to send back",
    tone: "info",
    title: "There was too little to send back",
    lede: "The payment is worth less than the network fee for sending it back.",
  },
  nothing: {
    label: "Nothing to send back",
    tone: "info",
    title: "There was nothing to send back",
    lede: "The payment is no longer on its blockchain.",
  },
  confirming: {
    label: "Confirming",
    tone: "info",
    title: "A payment arrived after the swap ended",
    lede: "It is sent back once the network has confirmed it.",
  },
} as const satisfies Record<string, Labels>;

/**
 * The state of a swap for someone who isn't its owner: without actions, and without reasons, which are private.
 */
export function toTrackedLabels({ transactions, ...order }: TrackedOrder): Labels {
  const moved = {
    ...order,
    incoming_txs: transactions.filter(({ purpose }) => purpose === "deposit"),
    outgoing_txs: transactions.filter(({ purpose }) => purpose !== "deposit"),
  };
  const { source_asset_symbol: source } = order;
  // A payment has arrived, in time or not.
  const hasArrived = toReceived(moved) !== "0";
  switch (toShownStatus(moved)) {
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
      return refundedLabels[toNoRefundReason(moved) ?? "sent"];
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
