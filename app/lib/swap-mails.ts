/**
 * E-mails about a swap that a customer may turn off. E-mails that ask for a decision, and e-mails about security, are
 * not here.
 */
export const swapMails = ["payment_seen", "paid_out", "refunded"] as const;
export type SwapMail = (typeof swapMails)[number];

/** When each is sent, to complete the sentence “we e-mail you when …”. */
export const swapMailNames: Record<SwapMail, string> = {
  payment_seen: "we see the first payment for a swap",
  paid_out: "we have sent you your coins",
  refunded: "we have sent money back to you",
};
