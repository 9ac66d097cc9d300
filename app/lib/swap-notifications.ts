import { toOrderNumber } from "./order-number";

/** The texts of notifications about a swap. Others may see the screen, so they leave out amounts. */
const swapNotifications = {
  payment_seen: ["We've seen your payment", "The network is confirming it. There is nothing you need to do now."],
  payment_short: ["We've seen your payment", "It is less than agreed. Open the swap to see what you can do."],
  payment_late: [
    "We've seen your payment",
    "It arrived after the time to pay had ended. We'll ask you what to do once it is confirmed.",
  ],
  paid_out: ["Your swap is complete", "The payout is final."],
  refunded: ["Your refund is complete", "We sent the money to your refund address."],
  returned: ["We sent money back to you", "Your swap didn't need it. The swap hasn't changed."],
  not_refunded: [
    "There was too little to send back",
    "We'll hold your payment until the fee for sending it back is low enough.",
  ],
  kept: ["We hold money for you", "It is worth less than the fee for sending it back. The swap hasn't changed."],
  payment_gone: ["Your payment is no longer on the blockchain", "So we don't have it. Check your wallet."],
  on_hold: ["Your swap is on hold", "Your money is safe. Open the swap to see why."],
  released: ["Your swap is no longer on hold", "There is nothing you need to do now."],
  decision_needed: ["Your swap needs your decision", "Open it to choose what happens to your payment."],
  ended: ["Your swap has ended", "Open it to see what happened."],
} as const satisfies Record<string, readonly [title: string, body: string]>;

/** The events that notifications about a swap report. */
export type SwapNotificationKind = keyof typeof swapNotifications;

/** Whether an event is about extra money, and not about the swap's status, which another notification may report. */
export const isAboutExtraMoney = (kind: SwapNotificationKind): boolean => kind === "returned" || kind === "kept";

/** The notification about a swap. @param quoteId identifies the swap */
export function toSwapNotification(kind: SwapNotificationKind, quoteId: number): { title: string; body: string } {
  const [title, body] = swapNotifications[kind];
  return { title: `${title}: ${toOrderNumber(quoteId)}`, body };
}
