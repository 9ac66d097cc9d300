const time = { hour: "2-digit", minute: "2-digit" } as const;
const dayAndTime = { day: "numeric", month: "short", year: "numeric", ...time } as const;
const parts = {
  time,
  day: { day: "numeric", month: "short" },
  "day-and-time": dayAndTime,
  "day-time-and-zone": { ...dayAndTime, timeZoneName: "short" },
} as const;

type FormatOptions = { tag: string; zone: string | undefined; show: keyof typeof parts };

/** In a language and a time zone, in the Gregorian calendar, with the digits 0 to 9. UTC is labelled as such. */
export function formatDateTime(at: string, options: FormatOptions): string {
  return getFormat(options)
    .format(new Date(at))
    .replace(/[\u202f\u00a0]/g, " ");
}

/**
 * A cache, because creating a format is about 100 times slower than using it. Its size is limited, because the keys
 * come from visitors' headers.
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
