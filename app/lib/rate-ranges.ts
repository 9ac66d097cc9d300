import { dayMs, hourMs } from "./durations";

/** The spans of time whose rates can be shown. */
export const rateRanges = ["1h", "24h", "7d", "30d"] as const;
export type RateRange = (typeof rateRanges)[number];

/** The length of each range. */
export const rateRangeMs = {
  "1h": hourMs,
  "24h": dayMs,
  "7d": 7 * dayMs,
  "30d": 30 * dayMs,
} as const satisfies Record<RateRange, number>;

export function isRateRange(text: string): text is RateRange {
  return rateRanges.some((range) => range === text);
}

/**
 * Whether rates that span `spanMs` cover about the whole range. A new exchange has a shorter history, and outages leave
 * gaps.
 */
export function coversMost(range: RateRange, spanMs: number): boolean {
  return spanMs >= 0.8 * rateRangeMs[range];
}
