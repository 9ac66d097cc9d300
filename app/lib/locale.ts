/** What a page knows of how its visitor writes numbers and times. Pure; the words stay English. */
import { type NumberStyle, plainNumberStyle, toNumberStyle } from "./number-style";

export type Locale = {
  /** A language tag that Intl knows, such as `de-CH`. */
  tag: string;
  /** IANA, as the browser told it in a cookie; null at the first visit: times are then in UTC. */
  timeZone: string | null;
  numbers: NumberStyle;
};

export const plainLocale: Locale = { tag: "en", timeZone: null, numbers: plainNumberStyle };

/** The browser writes its time zone into this cookie, so that the next page is right from the start. */
export const timeZoneCookie = "tz";

/** From the headers of a request. What is not understood is left out. */
export function readLocale(headers: Headers): Locale {
  const tag = toLanguageTag(headers.get("accept-language"));
  return { tag, timeZone: toTimeZone(headers.get("cookie")), numbers: toNumberStyle(tag) };
}

const longestHeader = 500;

function toLanguageTag(header: string | null): string {
  const wanted = (header ?? "")
    .slice(0, longestHeader)
    .split(",")
    .map((part) => {
      const [tag = "", ...params] = part.split(";").map((piece) => piece.trim());
      const weight = Number(params.find((param) => param.startsWith("q="))?.slice(2) ?? 1);
      return { tag, weight: Number.isNaN(weight) ? 0 : weight };
    })
    .filter(({ tag, weight }) => weight > 0 && tag !== "" && tag !== "*")
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    try {
      const [known] = Intl.NumberFormat.supportedLocalesOf(tag);
      if (known !== undefined) return known;
    } catch {
      // Not a language tag at all; the next one may be.
    }
  }
  return plainLocale.tag;
}

function toTimeZone(cookies: string | null): string | null {
  const found = /(?:^|;\s*)tz=([A-Za-z0-9_+\-/%]{1,64})(?:;|$)/.exec(cookies ?? "");
  if (!found?.[1]) return null;
  try {
    const zone = decodeURIComponent(found[1]);
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
