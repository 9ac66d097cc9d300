import { useHydrated } from "remix-utils/use-hydrated";
import { useLocale } from "./use-locale";

type Props = {
  /** ISO 8601. */
  at: string;
  /** "time" is for times known to be today; "day-time-and-zone" for deadlines and paper. */
  show?: "time" | "day-and-time" | "day-time-and-zone";
};

/**
 * A date and time in the visitor's language and time zone, in the Gregorian calendar, which receipts and filters use
 * too. The server and the first render use the time zone from the cookie (browser/time-zone-cookie.ts), or UTC,
 * labelled as such. After hydration it is the browser's own.
 */
export function DateTime({ at, show = "day-and-time" }: Props) {
  const { tag, timeZone } = useLocale();
  const hydrated = useHydrated();
  const zone = hydrated ? undefined : (timeZone ?? "UTC");
  return (
    // The server's and the browser's ICU versions may differ in a space or a comma; the server's text stays.
    <time dateTime={at} dir="auto" lang={tag.startsWith("en") ? undefined : tag} suppressHydrationWarning>
      {formatDateTime(at, { tag, zone, show })}
    </time>
  );
}

const time = { hour: "2-digit", minute: "2-digit" } as const;
const dayAndTime = { day: "numeric", month: "short", year: "numeric", ...time } as const;
const parts = {
  time,
  day: { day: "numeric", month: "short" },
  "day-and-time": dayAndTime,
  "day-time-and-zone": { ...dayAndTime, timeZoneName: "short" },
} as const;

type FormatOptions = { tag: string; zone: string | undefined; show: keyof typeof parts };

export function formatDateTime(at: string, options: FormatOptions): string {
  return getFormat(options)
    .format(new Date(at))
    .replace(/[\u202f\u00a0]/g, " ");
}

/**
 * A cache, because creating a format is about 100 times slower than using it. Limited, because the keys come from
 * visitors' headers.
 */
const formats = new Map<string, Intl.DateTimeFormat>();
const maxFormats = 200;

function getFormat({ tag, zone, show }: FormatOptions): Intl.DateTimeFormat {
  const key = `${tag} ${zone} ${show}`;
  const cached = formats.get(key);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat(tag, {
    ...parts[show],
    ...(zone === "UTC" && show !== "day" && { timeZoneName: "short" }),
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
  });
  if (formats.size >= maxFormats) formats.clear();
  formats.set(key, format);
  return format;
}
