/** Computes a small chart on the server. Rates are numbers here, because the result is only displayed. */
export type Sparkline = {
  /** SVG path data in a box of 100 × 28. */
  line: string;
  /** The relative change from the first to the last point: 0.0123 for 1.23% up. */
  change: number;
};

const width = 100;
const height = 28;
/** Room for the line's own width. */
const margin = 2;
const maxPoints = 48;

/** Null unless there are two points at different times. @param history oldest first */
export function toSparkline(history: readonly { at: string; rate: string }[]): Sparkline | null {
  const every = Math.ceil(history.length / maxPoints) || 1;
  const points = history
    .filter((_, at) => (history.length - 1 - at) % every === 0)
    .map(({ at, rate }) => ({ ms: Date.parse(at), rate: Number(rate) }));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.ms <= first.ms || first.rate <= 0) return null;
  const rates = points.map(({ rate }) => rate);
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const toX = (ms: number) => ((ms - first.ms) / (last.ms - first.ms)) * width;
  const toY = (rate: number) =>
    high === low ? height / 2 : margin + ((high - rate) / (high - low)) * (height - 2 * margin);
  const line = points
    .map(({ ms, rate }, at) => `${at === 0 ? "M" : "L"}${round(toX(ms))} ${round(toY(rate))}`)
    .join("");
  return { line, change: last.rate / first.rate - 1 };
}

const round = (value: number) => Math.round(value * 10) / 10;
