import { useHydrated } from "remix-utils/use-hydrated";
import { formatDateTime } from "~/lib/format-date-time";
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
