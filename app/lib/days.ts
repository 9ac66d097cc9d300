/** Days as "2026-01-31", in a time zone. */
import { dayMs } from "./durations";

/** When a day starts. If a clock change skips midnight, that is the first moment after it. */
export function toDayStart(day: string, timeZone: string | null): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (timeZone === null) return new Date(midnight);
  // The offset at the guess may differ from the one at the result, on the day of a clock change.
  const guess = midnight - toOffset(midnight, timeZone);
  const offset = toOffset(guess, timeZone);
  const start = midnight - offset;
  // If midnight is skipped, the clocks show another day at the earlier of the two.
  return new Date(toOffset(start, timeZone) === offset ? start : Math.max(guess, start));
}

/** The day of a time. Without a time zone, in UTC. */
export function toDay(at: Date, timeZone: string | null): string {
  const offset = timeZone === null ? 0 : toOffset(at.getTime(), timeZone);
  return new Date(at.getTime() + offset).toISOString().slice(0, 10);
}

/** @example toNextDay("2026-01-31") // "2026-02-01" */
export function toNextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

/** How far a zone's clocks are ahead of UTC, in ms. */
function toOffset(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(read("year"), read("month") - 1, read("day"), read("hour"), read("minute"), read("second"));
  return shown - Math.floor(at / 1000) * 1000;
}
