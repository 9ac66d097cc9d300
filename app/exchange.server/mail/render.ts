import type { Mail } from "../context";
import { toHtml } from "./html";
import { type EmailTemplate, toFooter } from "./template";
import { toText } from "./text";

/**
 * Renders an e-mail as text and as HTML, with the same content in both. Replies go to `supportEmail`, if there is one,
 * except to a code: they would quote it.
 */
export function renderEmail(email: EmailTemplate, supportEmail: string | null): Mail {
  const { to, subject, code = null } = email;
  const replyTo = email.replyTo ?? (code === null ? supportEmail : null);
  const footer = email.replyTo !== undefined ? [] : toFooter({ canReply: replyTo !== null });
  return {
    to,
    subject,
    text: toText(email, footer),
    html: toHtml(email, footer),
    code,
    ...(replyTo && { replyTo }),
    ...(email.allowsAutoReply && { allowsAutoReply: true }),
  };
}
