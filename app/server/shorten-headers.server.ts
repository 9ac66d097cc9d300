/** Cuts long headers before anything reads or copies them (T17). */
import type { IncomingMessage } from "node:http";

/** Longer than any header that browsers send us, except `Cookie`. API clients may send a longer `X-Auth-Token`. */
const maxLength = 1_000;
/** What browsers accept for one cookie. */
const maxCookieLength = 4_096;

/**
 * Cuts every header of more than 1,000 characters, except X-Auth-Token. In a long `Cookie` header, only the cookies
 * that the site reads are kept: other sites on the same host may have set the rest. Remix copies all headers for every
 * loader, so long ones would cost milliseconds. Mutates the request.
 */
export function shortenHeaders({ rawHeaders, headers }: IncomingMessage, ownCookies: ReadonlySet<string>): void {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = "", value = ""] = [rawHeaders[i]?.toLowerCase(), rawHeaders[i + 1]];
    // `admit` has refused it if it is too long.
    if (value.length <= maxLength || name === "x-auth-token") continue;
    const shorten = (text: string) => (name === "cookie" ? keepCookies(text, ownCookies) : text.slice(0, maxLength));
    rawHeaders[i + 1] = shorten(value);
    // Several headers with the same name are joined here.
    const joined = headers[name];
    if (typeof joined === "string") headers[name] = shorten(joined);
  }
}

/** The first cookie of each name, because only that one counts. */
function keepCookies(header: string, names: ReadonlySet<string>): string {
  const kept = new Map<string, string>();
  for (const part of header.split(";")) {
    const cookie = part.trim();
    const name = cookie.slice(0, Math.max(0, cookie.indexOf("=")));
    if (names.has(name) && !kept.has(name) && cookie.length <= maxCookieLength) kept.set(name, cookie);
  }
  return [...kept.values()].join("; ");
}
