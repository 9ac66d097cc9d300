import { formatDecimalText, type NumberStyle } from "~/lib/number-style";

/*
 * The price's history as a drawing, made on the server. Coordinates are for the eye, so here
 * (and nowhere that pays) a rate may be a JavaScript number.
 */
export type RatePoint = { at: string; rate: string };

/** A point and its rate as it is read. */
export type ShownPoint = RatePoint & { shown: string };

/** `x` and `y` are per cent of the plot, from its top left. */
export type ChartMark = ShownPoint & { x: number; y: number };

export type Chart = {
  /** SVG path data in a box of 1000 × 1000. The land goes on flat at both sides of the box. */
  line: string;
  area: string;
  low: ChartMark;
  high: ChartMark;
  first: ChartMark;
  last: ChartMark;
  /** Round rates up the side, lowest first, and points in time along the foot. */
  rungs: { label: string; y: number }[];
  times: { at: string; x: number }[];
  /** Every so manieth point, newest first: the same for who does not see the drawing. */
  rows: ShownPoint[];
};

const box = 1000;
const mostRows = 24;

/** @param history oldest first. Null where two points are not there to be joined. */
export function toChart(history: readonly RatePoint[], style: NumberStyle): Chart | null {
  const points = history.map(({ at, rate }) => ({ at, rate, ms: Date.parse(at), value: Number(rate) }));
  const [start, end] = [points[0], points.at(-1)];
  if (!start || !end || end.ms <= start.ms) return null;

  const lowest = points.reduce((low, point) => (point.value < low.value ? point : low));
  const highest = points.reduce((high, point) => (point.value > high.value ? point : high));
  const rungs = toRungs(lowest.value, highest.value);
  const [bottom, top] = [rungs[0] ?? 0, rungs.at(-1) ?? 1];

  const toX = (ms: number) => (ms - start.ms) / (end.ms - start.ms);
  const toY = (value: number) => (top - value) / (top - bottom);
  const mark = ({ at, rate, ms, value }: (typeof points)[number]): ChartMark => ({
    at,
    rate,
    shown: showRate(rate, style),
    x: toPercent(toX(ms)),
    y: toPercent(toY(value)),
  });
  const line = points
    .map(({ ms, value }, at) => `${at === 0 ? "M" : "L"}${toUnit(toX(ms))} ${toUnit(toY(value))}`)
    .join("");
  const every = Math.ceil(points.length / mostRows);
  const digits = toDigits(rungs);
  return {
    line,
    area: `M${-box} ${toUnit(toY(start.value))}L${line.slice(1)}H${2 * box}V${box}H${-box}Z`,
    low: mark(lowest),
    high: mark(highest),
    first: mark(start),
    last: mark(end),
    rungs: rungs.map((value) => ({ label: formatDecimalText(value.toFixed(digits), style), y: toPercent(toY(value)) })),
    times: [0, 0.25, 0.5, 0.75, 1].map((share) => ({
      at: new Date(start.ms + share * (end.ms - start.ms)).toISOString(),
      x: share * 100,
    })),
    rows: history
      .filter((_, at) => (history.length - 1 - at) % every === 0)
      .map((point) => ({ ...point, shown: showRate(point.rate, style) }))
      .reverse(),
  };
}

const figuresShown = 5;

/**
 * A rate with five figures that count, always as many, so that nothing jumps when the last is
 * a zero: "0.351230000000" → "0.35123". The rest is cut.
 */
export function showRate(rate: string, style: NumberStyle): string {
  const [whole = "0", fraction = ""] = rate.split(".");
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const digits = whole === "0" ? zeros + figuresShown : Math.max(0, figuresShown - whole.length);
  const cut = fraction.slice(0, digits).padEnd(digits, "0");
  return formatDecimalText(digits > 0 ? `${whole}.${cut}` : whole, style);
}

/** Three to six round values of which the outermost hold everything with some air. */
function toRungs(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) * 0.02 || 1;
  const [from, to] = [low - span * 0.12, high + span * 0.18];
  const raw = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= raw) ?? 10) * power;
  const first = Math.floor(from / step);
  const count = Math.ceil(to / step) - first;
  return Array.from({ length: count + 1 }, (_, at) => (first + at) * step);
}

/** As many digits as the labels need to differ, and no more. */
function toDigits(rungs: readonly number[]): number {
  for (let digits = 2; digits < 10; digits += 1) {
    const scale = 10 ** digits;
    if (rungs.every((rung) => Math.abs(Math.round(rung * scale) / scale - rung) < 1e-3 / scale)) return digits;
  }
  return 10;
}

const toUnit = (share: number) => Math.round(share * box * 10) / 10;
const toPercent = (share: number) => Math.round(share * 10_000) / 100;
