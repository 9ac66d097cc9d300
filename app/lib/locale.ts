/** The visitor's formats for numbers and times. Texts are always in English. */
import { type NumberStyle, plainNumberStyle, toNumberStyle } from "./number-style";

export type Locale = {
  /** A language tag that Intl supports, such as `de-CH`. */
  tag: string;
  /** The browser's IANA time zone, from a cookie. Null on the first visit: times are then in UTC. */
  timeZone: string | null;
  numbers: NumberStyle;
};

export const plainLocale: Locale = { tag: "en", timeZone: null, numbers: plainNumberStyle };

/** The cookie in which the browser stores its time zone (see browser/time-zone-cookie.ts). */
export const timeZoneCookie = "tz";

/** Reads the locale from a request's headers. Invalid values are ignored. */
export function readLocale(headers: Headers): Locale {
  const tag = readLanguageTag(headers.get("accept-language"));
  return { tag, timeZone: readTimeZone(headers.get("cookie")), numbers: toNumberStyle(tag) };
}

/** More than browsers send. Intl takes 20 µs to reject an invalid language, so a request may try only a few (T17). */
const maxHeaderLength = 200;
const maxLanguages = 10;

/** The supported language with the highest weight in an Accept-Language header, or English. */
export function readLanguageTag(header: string | null): string {
  const languages = (header ?? "")
    .slice(0, maxHeaderLength)
    .split(",")
    .map((part) => {
      const [tag = "", ...params] = part.split(";").map((piece) => piece.trim());
      const weight = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1);
      return { tag, weight: Number.isNaN(weight) ? 0 : weight };
    })
    .filter(({ tag, weight }) => weight > 0 && tag !== "" && tag !== "*")
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of languages.slice(0, maxLanguages)) {
    try {
      const [supported] = Intl.NumberFormat.supportedLocalesOf(tag);
      if (supported !== undefined) return supported;
    } catch {
      // Not a language tag.
    }
  }
  return plainLocale.tag;
}

/** The time zone in a Cookie header; null if it has none that Intl knows. */
export function readTimeZone(cookies: string | null): string | null {
  const match = /(?:^|;\s*)tz=([A-Za-z0-9_+\-/%]{1,64})(?:;|$)/.exec(cookies ?? "");
  if (!match?.[1]) return null;
  try {
    const zone = decodeURIComponent(match[1]);
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
