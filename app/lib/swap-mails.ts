/**
 * E-mails about a swap that a customer may turn off. Those that need an answer, and those about security, are not here.
 */
export const swapMails = ["payment_seen", "paid_out", "refunded"] as const;
export type SwapMail = (typeof swapMails)[number];
