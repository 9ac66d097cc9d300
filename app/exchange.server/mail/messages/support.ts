import { toOneLine } from "../../../lib/one-line";
import type { EmailTemplate } from "../template";

/** What support sees of a swap that the sender owns. */
export type SupportedSwap = { id: string; status: string; summary: string };

const senderNotes = {
  verified: "signed in",
  unverified: "signed in, address not verified",
  unknown: "address not verified",
};

/**
 * A customer's message to the operator. `number` is what they typed; `swap` is null if it is not one of their swaps, or
 * they are not signed in. `text` must not contain control characters.
 */
export function supportMail(
  to: string,
  message: {
    from: string;
    /** What the sender's session proves about their address. */
    sender: keyof typeof senderNotes;
    number: string | null;
    swap: SupportedSwap | null;
    text: string;
  },
): EmailTemplate {
  const { from, sender, number, swap, text } = message;
  const swapDetails: [string, string][] = swap
    ? [
        ["Order", swap.id],
        ["Status", swap.status],
        ["Amounts", swap.summary],
      ]
    : [];
  const named = number === null ? "not given" : swap ? number : `${toOneLine(number)} (not verified)`;
  return {
    to,
    replyTo: from,
    allowsAutoReply: sender === "verified",
    subject: `${swap ? `Message about swap ${number}` : "Message from the contact form"}: ${from}`,
    title: "A message from the contact form",
    preview: `From ${from}.`,
    parts: [
      {
        details: [["From", `${from} (${senderNotes[sender]})`], ["Swap", named], ...swapDetails],
      },
      { quote: { title: "Their message", text } },
    ],
    notYou: "If you reply, your e-mail goes to the sender. Don't send them codes or documents.",
  };
}
