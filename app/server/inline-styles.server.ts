import { createHash } from "node:crypto";
import type { HtmlDocument } from "./hash-inline-scripts.server";
import { previewStart } from "./link-preview.server";

const linkTag = /<link rel="stylesheet" href="([^"]+)"/g;
/** A preview (link-preview.server.tsx) ends the head: React expects the styles before it. */
const stylesEnd = new RegExp(`${previewStart}|</head>`);

/**
 * The same document with the rules of its style sheets in its head, so that the first paint does not wait for another
 * request, and with a policy that names them by their hash. The links stay, disabled, because React expects them, and
 * Remix uses them to see what is loaded. If one of the style sheets cannot be read, the document stays as it is.
 */
export function inlineStyles(
  { html, policy }: HtmlDocument,
  readStyles: (path: string) => string | undefined,
): HtmlDocument {
  const sheets = [...html.matchAll(linkTag)].map(([, path = ""]) => readStyles(path));
  const styles = sheets.join("\n");
  if (styles.trim() === "" || sheets.includes(undefined) || styles.includes("</")) return { html, policy };
  const hash = createHash("sha256").update(styles).digest("base64");
  return {
    html: html
      .replaceAll(linkTag, '$& disabled=""')
      .replace(stylesEnd, (next) => `<style data-inline="">${styles}</style>${next}`),
    policy: policy.replace("style-src ", `style-src 'sha256-${hash}' `),
  };
}
