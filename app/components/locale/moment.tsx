import { useHydrated } from "remix-utils/use-hydrated";
import { useLocale } from "./use-locale";

type Props = {
  /** ISO 8601. */
  at: string;
  /** "time" leaves the day away where it is today's anyway; paper names the zone, since it tells nobody whose time it is. */
  show?: "time" | "day-and-time" | "day-time-and-zone";
};

/**
 * A moment in the visitor's own language and time zone. Server and first render say it in the
 * zone that the cookie names (browser/keep-time-zone.ts), else in UTC and say so; once scripts
 * run it is the browser's own.
 */
export function Moment({ at, show = "day-and-time" }: Props) {
  const { tag, timeZone } = useLocale();
  const hydrated = useHydrated();
  const zone = hydrated ? undefined : (timeZone ?? "UTC");
  return (
    // Two versions of ICU may differ in a space or a comma; the server's words then stay.
    <time dateTime={at} suppressHydrationWarning>
      {formatMoment(at, { tag, zone, show })}
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

type Manner = { tag: string; zone: string | undefined; show: keyof typeof parts };

export function formatMoment(at: string, manner: Manner): string {
  return findFormat(manner)
    .format(new Date(at))
    .replace(/[\u202f\u00a0]/g, " ");
}

/** Making one costs a hundred times what using it does; a visitor's headers name the keys, so they are few at a time. */
const formats = new Map<string, Intl.DateTimeFormat>();
const mostFormats = 200;

function findFormat({ tag, zone, show }: Manner): Intl.DateTimeFormat {
  const key = `${tag} ${zone} ${show}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(tag, {
    ...parts[show],
    ...(zone === "UTC" && show !== "day" && { timeZoneName: "short" }),
    timeZone: zone,
    numberingSystem: "latn",
  });
  if (formats.size >= mostFormats) formats.clear();
  formats.set(key, made);
  return made;
}
