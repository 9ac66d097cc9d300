/**
 * E-mails about a swap that a customer may turn off. Those that need an answer, and those about security, are not here.
 */
export const swapMails = ["payment_seen", "paid_out", "refunded"] as const;
export type SwapMail = (typeof swapMails)[number];

/** What has happened when each is sent. */
export const swapMailNames: Record<SwapMail, string> = {
  payment_seen: "We have seen your payment",
  paid_out: "We have sent you your coins",
  refunded: "We have sent money back to you",
};
