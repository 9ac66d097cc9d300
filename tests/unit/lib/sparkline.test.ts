import { describe, expect, it } from "vitest";
import { toSparkline } from "~/lib/sparkline";

describe("the small chart", () => {
  const point = (hour: number, rate: string) => ({ at: new Date(hour * 3_600_000).toISOString(), rate });

  it("spans its box and reports the change", () => {
    const chart = toSparkline([point(0, "0.35"), point(12, "0.4"), point(24, "0.385")]);
    expect(chart?.line).toBe("M0 26L50 2L100 9.2");
    expect(chart?.change).toBeCloseTo(0.1);
  });

  it("draws a constant price in the middle, at most 48 points, and nothing without history", () => {
    const many = Array.from({ length: 1_000 }, (_, n) => point(n / 42, "0.35"));
    const line = toSparkline(many)?.line ?? "";
    expect(line.split(/[ML]/).length - 1).toBeLessThanOrEqual(48);
    expect(line).toMatch(/^M0 14L/);
    for (const history of [[], [point(0, "0.35")]]) expect(toSparkline(history)).toBeNull();
  });

  it("reports the change since the first rate, even if that is not drawn", () => {
    const history = Array.from({ length: 50 }, (_, hour) => point(hour, hour === 0 ? "0.25" : "0.5"));
    expect(toSparkline(history)?.change).toBe(1);
  });

  it("is not drawn while the history is much shorter than the 24 hours that it is said to show", () => {
    expect(toSparkline([point(0, "0.35"), point(12, "0.4")])).toBeNull();
    expect(toSparkline([point(0, "0.35"), point(23, "0.4")])).not.toBeNull();
  });
});
