/** The visitor's formats for numbers and times. Texts are always in English. */
import { type NumberStyle, plainNumberStyle } from "./number-style";

export type Locale = {
  /** A language tag that Intl supports, such as `de-CH`. */
  tag: string;
  /** The browser's IANA time zone, from a cookie. Null on the first visit. Times are then in UTC. */
  timeZone: string | null;
  numbers: NumberStyle;
};

export const plainLocale: Locale = { tag: "en", timeZone: null, numbers: plainNumberStyle };

/** The cookie in which the browser stores its time zone (see browser/time-zone-cookie.ts). */
export const timeZoneCookie = "tz";
