import { dayMs, minuteMs } from "~/lib/durations";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { formatRate } from "~/lib/shown-amount";

/*
 * Computes the chart of the price history on the server. Rates are JavaScript numbers here, because the result is
 * only displayed; code that handles money never does this.
 */
export type RatePoint = { at: string; rate: string };

export type FormattedPoint = RatePoint & { formatted: string };

/** `x` and `y` are percentages of the plot, from its top left corner. */
export type ChartMark = FormattedPoint & { x: number; y: number };

export type Chart = {
  /** SVG path data in a 1000 × 1000 box. The area continues beyond both sides of the box. */
  line: string;
  area: string;
  low: ChartMark;
  high: ChartMark;
  first: ChartMark;
  last: ChartMark;
  /** Round rates for the vertical axis, lowest first, and times for the horizontal axis. */
  gridlines: { label: string; y: number }[];
  times: { at: string; x: number }[];
  /** Whether the labels of `times` show times of day or days. */
  showTimesAs: "unlabelled-time" | "day";
  /** Every point of the line, for chart-reader.js: "1767225600 0.35000;…", a time in seconds and a rate. */
  points: string;
  /** A sample of the points for the table, newest first. */
  rows: FormattedPoint[];
};

const box = 1000;
const maxRows = 24;

/** Null without at least two points in time. @param history oldest first */
export function toChart(history: readonly RatePoint[], style: NumberStyle): Chart | null {
  const points = history.map(({ at, rate }) => ({ at, rate, ms: Date.parse(at), value: Number(rate) }));
  const [start, end] = [points[0], points.at(-1)];
  if (!start || !end || end.ms <= start.ms) return null;

  const lowest = points.reduce((low, point) => (point.value < low.value ? point : low));
  const highest = points.reduce((high, point) => (point.value > high.value ? point : high));
  const gridlines = toGridlines(lowest.value, highest.value);
  const [bottom, top] = [gridlines[0] ?? 0, gridlines.at(-1) ?? 1];

  const toX = (ms: number) => (ms - start.ms) / (end.ms - start.ms);
  const toY = (value: number) => (top - value) / (top - bottom);
  const mark = ({ at, rate, ms, value }: (typeof points)[number]): ChartMark => ({
    at,
    rate,
    formatted: formatRate(rate, style),
    x: toPercent(toX(ms)),
    y: toPercent(toY(value)),
  });
  const line = points
    .map(({ ms, value }, at) => `${at === 0 ? "M" : "L"}${toUnit(toX(ms))} ${toUnit(toY(value))}`)
    .join("");
  const every = Math.ceil(points.length / maxRows);
  const digits = toDigits(gridlines);
  return {
    line,
    area: `M${-box} ${toUnit(toY(start.value))}L${line.slice(1)}H${2 * box}V${box}H${-box}Z`,
    low: mark(lowest),
    high: mark(highest),
    first: mark(start),
    last: mark(end),
    gridlines: gridlines.map((value) => ({
      label: formatDecimalText(value.toFixed(digits), style),
      y: toPercent(toY(value)),
    })),
    ...toTimes(start.ms, end.ms),
    points: points.map(({ ms, rate }) => `${Math.floor(ms / 1000)} ${formatRate(rate, style)}`).join(";"),
    rows: history
      .filter((_, at) => (history.length - 1 - at) % every === 0)
      .map((point) => ({ ...point, formatted: formatRate(point.rate, style) }))
      .reverse(),
  };
}

/**
 * The first and the last time and, so that labels next to each other differ, only as many between them as are a minute
 * apart or, in a span of at least two days, a day.
 */
function toTimes(fromMs: number, toMs: number): Pick<Chart, "times" | "showTimesAs"> {
  const span = toMs - fromMs;
  const [showTimesAs, unitMs] = span < 2 * dayMs ? (["unlabelled-time", minuteMs] as const) : (["day", dayMs] as const);
  const steps = [4, 2].find((count) => span >= count * unitMs) ?? 1;
  const shares = Array.from({ length: steps + 1 }, (_, at) => at / steps);
  return {
    showTimesAs,
    times: shares.map((share) => ({ at: new Date(fromMs + share * span).toISOString(), x: share * 100 })),
  };
}

/** Three to six round values that span the data with some margin. */
function toGridlines(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) * 0.02 || 1;
  const [from, to] = [low - span * 0.12, high + span * 0.18];
  const raw = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= raw) ?? 10) * power;
  const first = Math.floor(from / step);
  const count = Math.ceil(to / step) - first;
  return Array.from({ length: count + 1 }, (_, at) => (first + at) * step);
}

/** The number of decimals the labels need to be exact. */
function toDigits(gridlines: readonly number[]): number {
  for (let digits = 2; digits < 10; digits += 1) {
    const scale = 10 ** digits;
    if (gridlines.every((gridline) => Math.abs(Math.round(gridline * scale) / scale - gridline) < 1e-3 / scale))
      return digits;
  }
  return 10;
}

const toUnit = (share: number) => Math.round(share * box * 10) / 10;
const toPercent = (share: number) => Math.round(share * 10_000) / 100;
