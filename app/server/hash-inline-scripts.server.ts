import { createHash } from "node:crypto";

/** A page and its content security policy. */
export type HtmlDocument = { html: string; policy: string };

/**
 * The same document with a policy that names its inline scripts by their hash, so that it can be sent more than once.
 * Only scripts with the nonce are named: any other script in the page stays forbidden. Null if the nonce also appears
 * anywhere else. A document without a nonce stays as it is.
 */
export function hashInlineScripts({ html, policy }: HtmlDocument): HtmlDocument | null {
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (nonce === undefined) return { html, policy };
  const attribute = ` nonce="${nonce}"`;
  const hashes = new Set(findInlineScripts(html, attribute).map(toSource));
  const hashed = {
    html: html.replaceAll(attribute, ""),
    policy: policy.replaceAll(`'nonce-${nonce}'`, [...hashes].join(" ")),
  };
  return hashed.html.includes(nonce) || hashed.policy.includes(nonce) ? null : hashed;
}

function findInlineScripts(html: string, attribute: string): string[] {
  const scripts: string[] = [];
  for (const part of html.split("<script").slice(1)) {
    const start = part.indexOf(">") + 1;
    const tag = part.slice(0, start);
    if (tag.includes(attribute) && !tag.includes(" src=")) scripts.push(part.slice(start, part.indexOf("</script>")));
  }
  return scripts;
}

function toSource(script: string): string {
  return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}
