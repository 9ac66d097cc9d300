import type { Mail } from "../context";
import { toHtml } from "./html";
import type { EmailTemplate } from "./template";
import { toText } from "./text";

/** Renders an e-mail as text and as HTML, with the same content in both. */
export function renderEmail(email: EmailTemplate): Mail {
  const { to, subject, code = null, replyTo } = email;
  return { to, subject, text: toText(email), html: toHtml(email), code, ...(replyTo !== undefined && { replyTo }) };
}
