/** The spans of time whose rates can be shown. */
export const rateRanges = ["1h", "24h", "7d", "30d"] as const;
export type RateRange = (typeof rateRanges)[number];

export function isRateRange(text: string): text is RateRange {
  return rateRanges.some((range) => range === text);
}
