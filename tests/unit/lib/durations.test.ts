import { describe, expect, it } from "vitest";
import { formatDuration, toClockText } from "~/lib/durations";

describe("durations", () => {
  it("uses a suitable unit, rounds up and is never negative", () => {
    expect([1_000, 42_000, 99_000, 100_000, 1_800_000, 7_200_000, 72 * 3_600_000].map(formatDuration)).toEqual([
      "1 second",
      "42 seconds",
      "99 seconds",
      "2 minutes",
      "30 minutes",
      "2 hours",
      "3 days",
    ]);
    expect([42_000, 1_471_000, 3_605_000, -5].map(toClockText)).toEqual(["0:42", "24:31", "1:00:05", "0:00"]);
  });
});
