import Negotiator from "negotiator";
import { type Locale, plainLocale, timeZoneCookie } from "./locale";
import { toNumberStyle } from "./number-style";
import { readCookie } from "./read-cookie";

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
  const negotiator = new Negotiator({ headers: { "accept-language": (header ?? "").slice(0, maxHeaderLength) } });
  for (const tag of negotiator.languages().slice(0, maxLanguages)) {
    try {
      const [supported] = Intl.NumberFormat.supportedLocalesOf(tag);
      if (supported !== undefined) return supported;
    } catch {
      // Not a language tag.
    }
  }
  return plainLocale.tag;
}

/** The time zone in a Cookie header; null if it has none, or one that Intl does not support. */
export function readTimeZone(cookies: string | null): string | null {
  const value = readCookie(cookies, timeZoneCookie);
  if (value === null || !/^[A-Za-z0-9_+\-/%]{1,64}$/.test(value)) return null;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(value) }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
