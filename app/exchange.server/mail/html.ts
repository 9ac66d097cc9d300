import { html } from "hono/html";
import { type EmailPart, type EmailTemplate, senderName } from "./template";

/** The light theme of the site, as inline colours. */
const surface = { ground: "#fbf5ea", raised: "#fffdf9", sunken: "#f5ecdd", line: "#e6d8c3" };
const textColor = { normal: "#2b1c12", muted: "#685441", accent: "#ab3f18", onAccent: "#fff8f1" };
const sans = "Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const serif = "'Young Serif',Georgia,'Times New Roman',serif";
const mono = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";

/** The dark theme, for e-mail programs that support it. Others invert the colours or stay light. */
const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .card { padding: 24px 20px !important; } }
@media (prefers-color-scheme: dark) {
  .ground { background: #0f1220 !important; }
  .card { background: #1b1d2b !important; border-color: #2f3145 !important; }
  .sunken { background: #141623 !important; border-color: #2f3145 !important; }
  .ink { color: #f4ece2 !important; }
  .muted { color: #b1aec0 !important; }
  .accent { color: #f49a63 !important; }
  .button { background: #f49a63 !important; }
  .onAccent { color: #25110a !important; }
}`;

// Not all e-mail programs know text-wrap.
const paragraph = `margin:0 0 16px;font:400 16px/1.5 ${sans};color:${textColor.normal};text-wrap:pretty;`;
const small = `font:400 14px/1.5 ${sans};color:${textColor.muted};text-wrap:pretty;`;

/**
 * Renders an e-mail as HTML that works in every e-mail program: one column of tables and inline
 * styles. It loads nothing (a remote image would reveal when it is opened) and links only to pages of this site.
 */
export function toHtml({ subject, title, preview, parts, notYou }: EmailTemplate, footer: string[]): string {
  return String(html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${subject}</title>
<style>${sheet}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${surface.ground};">
<div style="display:none;max-height:0;overflow:hidden;">${preview}</div>
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${surface.ground};">
<tr><td align="center" style="padding:32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left;">
<tr><td class="accent" style="padding:0 4px 16px;font:400 22px/1.2 ${serif};color:${textColor.accent};">${senderName}</td></tr>
<tr><td class="card" style="padding:32px;background:${surface.raised};border:1px solid ${surface.line};border-radius:20px;">
<h1 class="ink" style="margin:0 0 16px;font:${titleFont(title)};color:${textColor.normal};text-wrap:balance;">${unbroken(title)}</h1>
${parts.map(toBlock)}
<p class="muted" style="margin:24px 0 0;${small}">${unbroken(notYou)}</p>
</td></tr>
${footer.map((line) => html`<tr><td class="muted" style="padding:16px 4px 0;${small}">${unbroken(line)}</td></tr>\n`)}</table>
</td></tr>
</table>
</body>
</html>
`);
}

function toBlock(part: EmailPart) {
  if (typeof part === "string") return html`<p class="ink" style="${paragraph}">${unbroken(part)}</p>\n`;
  if ("digits" in part) {
    return html`<p class="sunken ink" style="margin:0 0 16px;padding:16px 16px 16px 22px;background:${surface.sunken};border-radius:14px;text-align:center;font:600 34px/1.2 ${mono};letter-spacing:6px;color:${textColor.normal};">${part.digits}</p>\n`;
  }
  if ("list" in part) {
    const items = part.list.map((item) => html`<li style="margin:0 0 4px;">${unbroken(item)}</li>`);
    return html`<ul class="ink" style="${paragraph}padding-left:20px;">${items}</ul>\n`;
  }
  if ("quote" in part) {
    const lines = part.quote.text.split("\n").map((line) => html`${line}<br>`);
    return html`<p class="muted" style="margin:0 0 4px;${small}">${part.quote.title}:</p>
<div class="sunken ink" style="${paragraph}padding:12px 16px;background:${surface.sunken};border-left:4px solid ${surface.line};">${lines}</div>\n`;
  }
  if ("link" in part) {
    // Outlook ignores the padding of links, so the cell has one for Outlook only.
    return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px;"><tr>
<td class="button" style="mso-padding-alt:12px 24px;background:${textColor.accent};border-radius:14px;"><a class="onAccent" href="${part.link.url}" style="display:inline-block;padding:12px 24px;font:600 16px/1.5 ${sans};color:${textColor.onAccent};text-decoration:none;">${part.link.text}</a></td>
</tr></table>\n`;
  }
  const rows = part.details.map(
    ([label, value]) => html`<tr><td style="padding:0 0 12px;">
<div class="muted" style="${small}">${label}</div>
<div class="ink" style="font:500 16px/1.4 ${isIdentifier(value) ? mono : sans};color:${textColor.normal};word-break:break-word;overflow-wrap:anywhere;">${unbroken(value)}</div>
</td></tr>`,
  );
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 4px;">${rows}</table>\n`;
}

/**
 * Keeps together an amount and its coin, a day and its month, and a time and its zone; also “e-mail”, whose line would
 * end in “e-”.
 */
function unbroken(text: string) {
  return text
    .replace(/(?<=\d) (?=\p{Lu})/gu, "\u00a0")
    .split(/\b(e-mails?)\b/i)
    .map((part, i) => (i % 2 === 1 ? html`<span style="white-space:nowrap;">${part}</span>` : part));
}

/** Titles with digits use the sans-serif font: Georgia's figures have uneven heights. */
function titleFont(title: string): string {
  return /[0-9]/.test(title) ? `600 24px/1.25 ${sans}` : `400 26px/1.2 ${serif}`;
}

/** An address or a hash, which is compared character by character. */
function isIdentifier(value: string): boolean {
  return /^\S{20,}$/.test(value);
}
