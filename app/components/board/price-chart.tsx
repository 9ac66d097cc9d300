import { useHydrated } from "remix-utils/use-hydrated";
import { formatMoment } from "~/components/locale/moment";
import { useLocale } from "~/components/locale/use-locale";
import type { Chart, ChartMark } from "./chart";
import * as styles from "./price-chart.css";

type Props = {
  chart: Chart;
  over: string;
  tells: "hour" | "day";
  change: string | null;
  /** Whether the last point is the price of now. */
  isCurrent: boolean;
};

/** The price as a ridge against the sky. Everything in it stands in words and in a table as well. */
export function PriceChart({ chart, over, tells, change, isCurrent }: Props) {
  const toWords = useAxisWords(tells);
  return (
    <figure className={styles.figure}>
      <div className={styles.plot}>
        <svg className={styles.ridge} viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
          <defs>
            <linearGradient id="ridge" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" className={styles.ridgeTop} />
              <stop offset="1" className={styles.ridgeFoot} />
            </linearGradient>
          </defs>
          {chart.rungs.slice(1).map(({ label, y }) => (
            <path key={label} className={styles.rung} d={`M-1000 ${y * 10}H2000`} />
          ))}
          <path fill="url(#ridge)" d={chart.area} />
          <path className={styles.line} d={chart.line} />
        </svg>
        <svg className={styles.words} aria-hidden="true">
          {chart.rungs.slice(1).map(({ label, y }) => (
            <text key={label} className={styles.label} x={-8} y={`${y}%`} dy="-6" textAnchor="end">
              {label}
            </text>
          ))}
          <Mark mark={chart.high} word="high" dy={-14} />
          <Mark mark={chart.low} word="low" dy={24} />
          <circle className={styles.halo} cx={`${chart.last.x}%`} cy={`${chart.last.y}%`} r="12" />
          <circle className={styles.now} cx={`${chart.last.x}%`} cy={`${chart.last.y}%`} r="6" />
        </svg>
      </div>
      <div className={styles.ground}>
        <svg className={styles.foot} aria-hidden="true">
          {chart.times.map(({ at, x }) => (
            <text
              key={x}
              className={styles.footLabel}
              x={`${x}%`}
              y="1em"
              textAnchor={anchorAt(x)}
              suppressHydrationWarning
            >
              {toWords(at)}
            </text>
          ))}
        </svg>
      </div>
      <figcaption className={styles.caption}>
        One MOB in USDT over {over}: {change ?? "unchanged"}, lowest {chart.low.shown}, highest {chart.high.shown},{" "}
        {isCurrent ? "now" : "last"} {chart.last.shown}.
      </figcaption>
    </figure>
  );
}

function Mark({ mark, word, dy }: { mark: ChartMark; word: string; dy: number }) {
  return (
    <>
      <circle className={styles.dot} cx={`${mark.x}%`} cy={`${mark.y}%`} r="4" />
      <text className={styles.markWords} x={`${mark.x}%`} y={`${mark.y}%`} dy={dy} textAnchor={anchorAt(mark.x)}>
        {word} {mark.shown}
      </text>
    </>
  );
}

/** Hours for a day, days for a month; in the zone of the page's other moments. */
function useAxisWords(tells: "hour" | "day"): (at: string) => string {
  const { tag, timeZone } = useLocale();
  const zone = useHydrated() ? undefined : (timeZone ?? "UTC");
  const show = tells === "hour" ? "time" : "day";
  return (at) => formatMoment(at, { tag, zone, show });
}

/** Words near an edge lean away from it. */
function anchorAt(x: number): "start" | "middle" | "end" {
  return x < 12 ? "start" : x > 88 ? "end" : "middle";
}
