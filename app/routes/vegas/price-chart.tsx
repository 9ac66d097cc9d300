import { DateTime } from "~/components/locale/date-time";
import { useLocale } from "~/components/locale/use-locale";
import { formatDateTime } from "~/lib/format-date-time";
import type { Chart, ChartMark } from "./chart";
import * as styles from "./price-chart.css";

type Props = {
  chart: Chart;
  rangeName: string;
  change: string | null;
  since: string | null;
};

/** The price history as a chart. The caption and a table below give the same information as text. */
export function PriceChart({ chart, rangeName, change, since }: Props) {
  const { tag, timeZone } = useLocale();
  // The same time zone as the rest of the page.
  const zone = timeZone ?? "UTC";
  return (
    <figure className={styles.figure}>
      <div className={styles.plot} data-points={chart.points} data-locale={tag}>
        <svg className={styles.graph} viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
          <defs>
            <linearGradient id="area" x1="0" y1="0" x2="0" y2="1">
              <stop offset="0" className={styles.areaTop} />
              <stop offset="1" className={styles.areaBottom} />
            </linearGradient>
          </defs>
          {chart.gridlines.slice(1).map(({ label, y }) => (
            <path key={label} className={styles.gridline} d={`M-1000 ${y * 10}H2000`} />
          ))}
          <path fill="url(#area)" d={chart.area} />
          <path className={styles.line} d={chart.line} data-line="" />
        </svg>
        <svg className={styles.labels} aria-hidden="true">
          {chart.gridlines.slice(1).map(({ label, y }) => (
            <text key={label} className={styles.label} x={-8} y={`${y}%`} dy="-6" textAnchor="end">
              {label}
            </text>
          ))}
          <Mark mark={chart.high} name="high" dy={-14} />
          <Mark mark={chart.low} name="low" dy={24} />
          <circle className={styles.halo} cx={`${chart.last.x}%`} cy={`${chart.last.y}%`} r="12" />
          <circle className={styles.now} cx={`${chart.last.x}%`} cy={`${chart.last.y}%`} r="6" />
        </svg>
        <ChartReader rangeName={rangeName} since={since} />
      </div>
      <div className={styles.axis}>
        <div className={styles.times}>
          <svg className={styles.axisLabels} aria-hidden="true">
            {zone === "UTC" && chart.showTimesAs !== "day" ? (
              <text className={styles.label} x={-8} y="1em" textAnchor="end">
                UTC
              </text>
            ) : null}
            <g>
              {chart.times.map(({ at, x }) => (
                <text key={x} className={styles.axisLabel} x={`${x}%`} y="1em" textAnchor={anchorAt(x)}>
                  {formatDateTime(at, { tag, zone, show: chart.showTimesAs })}
                </text>
              ))}
            </g>
          </svg>
        </div>
      </div>
      {/* Not “now”: the current price is what customers get for 1 MOB, and the chart leaves out our spread. */}
      <figcaption className={styles.caption}>
        1 MOB in USDT <Span rangeName={rangeName} since={since} />: {change ?? "unchanged"}, lowest{" "}
        {chart.low.formatted}, highest {chart.high.formatted}, last {chart.last.formatted}.
      </figcaption>
    </figure>
  );
}

/** The time that the chart shows: its range or, if the history is shorter, the time since its first point. */
export function Span({ rangeName, since }: Pick<Props, "rangeName" | "since">) {
  return since === null ? (
    <>over {rangeName}</>
  ) : (
    <>
      since <DateTime at={since} />
    </>
  );
}

/**
 * Shows the value under the pointer or finger, or at the point selected with the arrow keys. chart-reader.js updates
 * it; refresh.js skips it (`data-kept`).
 */
function ChartReader({ rangeName, since }: Pick<Props, "rangeName" | "since">) {
  return (
    <div className={styles.reader} data-kept="">
      <input
        type="range"
        className={styles.slider}
        min={0}
        max={0}
        defaultValue={0}
        aria-label={since === null ? `Price of 1 MOB over ${rangeName}` : "Price of 1 MOB"}
      />
      <div className={styles.cursor} aria-hidden="true" hidden>
        <span className={styles.cursorDot} />
        <p className={styles.cursorLabel}>
          <strong />
          <span dir="auto" />
        </p>
      </div>
    </div>
  );
}

function Mark({ mark, name, dy }: { mark: ChartMark; name: string; dy: number }) {
  return (
    <>
      <circle className={styles.dot} cx={`${mark.x}%`} cy={`${mark.y}%`} r="4" />
      <text className={styles.markLabel} x={`${mark.x}%`} y={`${mark.y}%`} dy={dy} textAnchor={anchorAt(mark.x)}>
        {name} {mark.formatted}
      </text>
    </>
  );
}

/** Keeps labels near the edges inside the chart. */
function anchorAt(x: number): "start" | "middle" | "end" {
  return x < 12 ? "start" : x > 88 ? "end" : "middle";
}
