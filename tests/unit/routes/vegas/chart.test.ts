import { describe, expect, it } from "vitest";
import { dayMs, hourMs, minuteMs } from "~/lib/durations";
import { formatDateTime } from "~/lib/format-date-time";
import { plainNumberStyle } from "~/lib/number-style";
import { toChart } from "~/routes/vegas/chart";

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
const points = (...rates: string[]) => rates.map((rate, at) => ({ at: minute(at), rate }));
const chartOf = (...rates: string[]) => {
  const chart = toChart(points(...rates), plainNumberStyle);
  if (!chart) throw new Error("no chart");
  return chart;
};

describe("toChart", () => {
  it("spans the full width and marks the lowest, highest and last point", () => {
    const chart = chartOf("0.35", "0.34", "0.36", "0.355", "0.351");
    expect(chart.line).toMatch(/^M0 /);
    expect(chart.line).toMatch(/L1000 [\d.]+$/);
    expect(chart.low).toMatchObject({ at: minute(1), formatted: "0.34000", x: 25 });
    expect(chart.high).toMatchObject({ at: minute(2), formatted: "0.36000", x: 50 });
    expect(chart.last).toMatchObject({ at: minute(4), x: 100 });
    expect(chart.high.y).toBeLessThan(chart.last.y);
    expect(chart.last.y).toBeLessThan(chart.low.y);
  });

  it("lists every point of the line with its time and formatted rate", () => {
    const chart = chartOf("0.35", "0.34", "0.36");
    const start = Date.UTC(2026, 0, 1) / 1000;
    expect(chart.points).toBe(`${start} 0.35000;${start + 60} 0.34000;${start + 120} 0.36000`);
    expect(chart.line.split("L")).toHaveLength(3);
  });

  it("has distinct, round gridlines that span every point", () => {
    const chart = chartOf("0.34917", "0.3423", "0.35176");
    const labels = chart.gridlines.map(({ label }) => label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels).toContain("0.350");
    expect(Number(labels[0])).toBeLessThan(0.3423);
    expect(Number(labels.at(-1))).toBeGreaterThan(0.35176);
    expect(chart.gridlines[0]?.y).toBe(100);
    expect(chart.gridlines.at(-1)?.y).toBe(0);
  });

  it("draws a constant price as a line in the middle", () => {
    const chart = chartOf("0.35", "0.35", "0.35");
    expect(chart.last.y).toBeGreaterThan(20);
    expect(chart.last.y).toBeLessThan(80);
  });

  it.each([[[]], [points("0.35")], [[...points("0.35"), ...points("0.36")]]])(
    "is null without two points in time",
    (few) => expect(toChart(few, plainNumberStyle)).toBeNull(),
  );

  const labelsOver = (ms: number) => {
    const from = Date.UTC(2026, 0, 1, 20, 30);
    const history = [from, from + ms].map((at) => ({ at: new Date(at).toISOString(), rate: "0.35" }));
    const { times, showTimesAs } = toChart(history, plainNumberStyle) ?? { times: [] };
    const show = showTimesAs ?? "day";
    return times.map(({ at }) => formatDateTime(at, { tag: "en-GB", zone: "UTC", show }));
  };

  it.each([
    ["a minute", minuteMs, 2],
    ["three minutes", 3 * minuteMs, 3],
    ["an hour", hourMs, 5],
    ["a day", dayMs, 5],
    ["most of two days", 2 * dayMs - hourMs, 5],
    ["two days", 2 * dayMs, 3],
    ["most of four days", 4 * dayMs - hourMs, 3],
    ["four days", 4 * dayMs, 5],
    ["thirty days", 30 * dayMs, 5],
  ])("never repeats a label next to it on the time axis: %s", (_, ms, count) => {
    const labels = labelsOver(ms);
    expect(labels).toHaveLength(count);
    expect(labels.filter((label, at) => label === labels[at - 1])).toEqual([]);
  });

  it("labels the time axis with times up to two days, and with days from then on", () => {
    expect(labelsOver(hourMs)[0]).toBe("20:30");
    expect(labelsOver(2 * dayMs)).toEqual(["1 Jan", "2 Jan", "3 Jan"]);
  });

  it("has a table of at most 24 rows, newest first, starting with the newest point", () => {
    const chart = chartOf(...Array.from({ length: 181 }, (_, n) => `0.3${String(n).padStart(3, "0")}`));
    expect(chart.rows.length).toBeLessThanOrEqual(24);
    expect(chart.rows[0]?.at).toBe(minute(180));
    expect(chart.rows.map(({ at }) => at)).toEqual(
      chart.rows
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
  });
});
