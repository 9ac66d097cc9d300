/** A URL ends at white space, a quote or an escape in JSON; punctuation at the end belongs to the text. */
const urls = /\b(?:https?|wss?|postgres(?:ql)?|smtps?):\/\/[^\s"\\]*[^\s"\\.,;:)]/gi;

const hidden = new Set<string>();

/** Makes `redactUrls` replace these values wherever they appear, for example in a server's error message. */
export function hideSecrets(values: readonly string[]): void {
  for (const value of values) if (value.length >= 8) hidden.add(value);
}

/**
 * Replaces each URL in a text with its scheme, host and port. Passwords of databases and mail
 * servers are part of their URLs, and the paths of RPC URLs often contain an API key. Also
 * replaces the values given to `hideSecrets`.
 *
 * @example redactUrls("GET https://rpc.example/v3/key") // "GET https://rpc.example/…"
 */
export function redactUrls(text: string): string {
  const withoutUrls = text.replace(urls, (url) => {
    if (!URL.canParse(url)) return "[URL]";
    const { protocol, host, pathname, search, hash } = new URL(url);
    const rest = pathname.length > 1 || search !== "" || hash !== "" ? "/…" : "";
    return `${protocol}//${host}${rest}`;
  });
  return [...hidden].reduce((clean, secret) => clean.replaceAll(secret, "[secret]"), withoutUrls);
}
