/** A paragraph, digits to type, labelled values, a list, a link to a page of this site, or what someone else wrote. */
export type EmailPart =
  | string
  | { digits: string }
  | { details: [label: string, value: string][] }
  | { list: string[] }
  | { link: { text: string; url: string } }
  | { quote: { title: string; text: string } };

/**
 * The content of an e-mail, before `renderEmail` turns it into text and HTML. All of it is plain text. E-mails about a
 * swap link to its page, which does not ask for codes. Other e-mails do not contain links, so that customers do not get
 * used to following links to sign in.
 */
export type EmailTemplate = {
  to: string;
  subject: string;
  title: string;
  /** Shown beside the subject in an inbox. */
  preview: string;
  parts: EmailPart[];
  /** What to do if the recipient did not do this. Every e-mail has it. */
  notYou: string;
  /** C04: the code, for tests and the sandbox's inbox. Only sign-in e-mails have one. */
  code?: string;
  /** For an e-mail to the operator: the customer who wrote it, to whom a reply goes. */
  replyTo?: string;
  /** Whether that address is known to be the customer's, so that it may get automatic replies. */
  allowsAutoReply?: boolean;
};

export const senderName = "Antelope";

const promise =
  "We never ask for a code, a PIN, a passkey or a recovery phrase by e-mail, by phone or in a chat. Our e-mails link only to your swaps. If in doubt, don't follow the link: open Antelope the way you always do.";

/** The end of every e-mail. */
export function toFooter({ canReply }: { canReply: boolean }): string[] {
  return [...(canReply ? ["Questions? Reply to this e-mail."] : []), promise];
}
