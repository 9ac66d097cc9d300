import { describe, expect, it } from "vitest";
import {
  earlierOf,
  formatConfirmations,
  formatConfirmationTime,
  formatDuration,
  formatSwapTime,
  laterOf,
  toClockText,
} from "~/lib/durations";

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
    const hour = 3_600_000;
    expect([99 * 60_000, 100 * 60_000, 48 * hour, 49 * hour].map(formatDuration)).toEqual([
      "99 minutes",
      "2 hours",
      "48 hours",
      "3 days",
    ]);
    expect([42_000, 1_471_000, 3_605_000, -5].map(toClockText)).toEqual(["0:42", "24:31", "1:00:05", "0:00"]);
  });

  it("estimates confirmations and swaps by the network's blocks", () => {
    expect([1, 12].map(formatConfirmations)).toEqual(["1 confirmation", "12 confirmations"]);
    expect(formatConfirmationTime("ethereum", 3)).toBe("about 36 seconds");
    expect(formatConfirmationTime("ethereum", 64)).toBe("about 13 minutes");
    expect(formatConfirmationTime("mobilecoin", 1)).toBe("a few seconds");
    expect(formatSwapTime("ethereum", 3)).toBe("about 2 minutes");
    expect(formatSwapTime("mobilecoin", 1)).toBe("about 1 minute");
    expect(formatSwapTime("mobilecoin", 15)).toBe("about 1 minute");
  });
});

it("takes the later of two times, or the only one", () => {
  const [early, late] = [new Date(1), new Date(2)];
  expect([laterOf(early, late), laterOf(late, early)]).toEqual([late, late]);
  expect([laterOf(null, early), laterOf(early, null), laterOf(null, null)]).toEqual([early, early, null]);
  expect([earlierOf(early, late), earlierOf(late, early), earlierOf(null, late)]).toEqual([early, early, late]);
});
