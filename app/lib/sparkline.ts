/** Computes a small chart on the server. Rates are numbers here, because the result is only displayed. */
import { coversMost } from "./rate-ranges";

export type Sparkline = {
  /** SVG path data in a box of 100 × 28. */
  line: string;
  /** The relative change over the whole history, as on /vegas: 0.0123 for 1.23% up. */
  change: number;
};

const width = 100;
const height = 28;
/** Room for the line's own width. */
const margin = 2;
const maxPoints = 48;

/**
 * Null unless the points cover most of a day, because the change is shown as “in 24 hours”.
 * @param history of the last 24 hours, oldest first
 */
export function toSparkline(history: readonly { at: string; rate: string }[]): Sparkline | null {
  const every = Math.ceil(history.length / maxPoints) || 1;
  const points = history
    .filter((_, at) => (history.length - 1 - at) % every === 0)
    .map(({ at, rate }) => ({ ms: Date.parse(at), rate: Number(rate) }));
  const [first, last] = [points[0], points.at(-1)];
  const firstRate = Number(history[0]?.rate ?? 0);
  if (!first || !last || !coversMost("24h", last.ms - first.ms) || firstRate <= 0) return null;
  const rates = points.map(({ rate }) => rate);
  const [low, high] = [Math.min(...rates), Math.max(...rates)];
  const toX = (ms: number) => ((ms - first.ms) / (last.ms - first.ms)) * width;
  const toY = (rate: number) =>
    high === low ? height / 2 : margin + ((high - rate) / (high - low)) * (height - 2 * margin);
  const line = points
    .map(({ ms, rate }, at) => `${at === 0 ? "M" : "L"}${round(toX(ms))} ${round(toY(rate))}`)
    .join("");
  return { line, change: last.rate / firstRate - 1 };
}

const round = (value: number) => Math.round(value * 10) / 10;
