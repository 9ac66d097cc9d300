import { describe, expect, it } from "vitest";
import { toSparkline } from "~/lib/sparkline";

describe("the small chart", () => {
  const point = (minute: number, rate: string) => ({ at: new Date(minute * 60_000).toISOString(), rate });

  it("spans its box and reports the change", () => {
    const chart = toSparkline([point(0, "0.35"), point(1, "0.4"), point(2, "0.385")]);
    expect(chart?.line).toBe("M0 26L50 2L100 9.2");
    expect(chart?.change).toBeCloseTo(0.1);
  });

  it("draws a constant price in the middle, at most 48 points, and nothing without history", () => {
    const many = Array.from({ length: 1_000 }, (_, minute) => point(minute, "0.35"));
    const line = toSparkline(many)?.line ?? "";
    expect(line.split(/[ML]/).length - 1).toBeLessThanOrEqual(48);
    expect(line).toMatch(/^M0 14L/);
    for (const history of [[], [point(0, "0.35")]]) expect(toSparkline(history)).toBeNull();
  });
});
