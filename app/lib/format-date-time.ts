import { memoize } from "./memoize";

const time = { hour: "2-digit", minute: "2-digit" } as const;
const dayAndTime = { day: "numeric", month: "short", year: "numeric", ...time } as const;
const parts = {
  time,
  "unlabelled-time": time,
  day: { day: "numeric", month: "short" },
  "day-and-time": dayAndTime,
  "day-time-and-zone": { ...dayAndTime, timeZoneName: "short" },
} as const;

type FormatOptions = { tag: string; zone: string | undefined; show: keyof typeof parts };

/**
 * In a language and a time zone, in the Gregorian calendar, with the digits 0 to 9. UTC is labelled as such, except in an
 * "unlabelled-time": there, the page has to name the time zone.
 */
export function formatDateTime(at: string, { tag, zone, show }: FormatOptions): string {
  return toFormat(tag, zone, show)
    .format(new Date(at))
    .replace(/[\u202f\u00a0]/g, " ");
}

/** Cached, because creating a format takes about 100 times as long as using it. */
const toFormat = memoize(
  (tag: string, zone: string | undefined, show: FormatOptions["show"]) =>
    new Intl.DateTimeFormat(tag, {
      ...parts[show],
      ...(zone === "UTC" && show !== "day" && show !== "unlabelled-time" && { timeZoneName: "short" }),
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
    }),
);
