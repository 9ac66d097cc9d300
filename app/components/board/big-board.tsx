import { Link } from "@remix-run/react";
import type { RateRange } from "~/api/contract";
import { Wordmark } from "~/components/brand/wordmark";
import { Moment } from "~/components/locale/moment";
import { paths, withParams } from "~/lib/paths";
import { Badge } from "~/ui/badge";
import { Disclosure } from "~/ui/disclosure";
import { SegmentedLinks } from "~/ui/segmented-links";
import { Spinner } from "~/ui/spinner";
import { Table } from "~/ui/table";
import { type Board, boardRanges } from "./board";
import * as styles from "./board.css";
import { PriceChart } from "./price-chart";

type Props = { board: Board; range: RateRange };

export function BigBoard({ board, range }: Props) {
  const { name, tells } = boardRanges[range];
  return (
    <>
      <BoardTop range={range}>
        <span data-reach="in">
          <Badge tone={board.status.open ? "good" : "waiting"}>{board.status.words}</Badge>
        </span>
        <span data-reach="out" hidden>
          <Badge tone="waiting">Out of reach, asking again</Badge>
        </span>
      </BoardTop>
      <Headline board={board} over={name} />
      {board.chart ? (
        <PriceChart
          chart={board.chart}
          over={name}
          tells={tells}
          change={board.change}
          isCurrent={board.price !== null}
        />
      ) : (
        <p className={styles.silent}>The price has no history here yet. It is drawn as soon as there are two points.</p>
      )}
      <Ground board={board} over={name} />
    </>
  );
}

/** Before anything is known. */
export function SilentBoard({ range }: Pick<Props, "range">) {
  return (
    <>
      <BoardTop range={range}>
        <Badge tone="waiting">Out of reach</Badge>
      </BoardTop>
      <div className={styles.silent}>
        <Spinner>The exchange does not answer yet. This board asks again by itself.</Spinner>
      </div>
    </>
  );
}

function BoardTop({ range, children }: { range: RateRange; children: React.ReactNode }) {
  const ranges = (["1h", "24h", "7d", "30d"] as const).map((key) => ({
    to: withParams(paths.vegas, { range: key }),
    label: boardRanges[key].name,
    current: key === range,
  }));
  return (
    <header className={styles.top}>
      <Wordmark />
      <h1 className={styles.title}>The big board</h1>
      <div className={styles.topEnd}>
        <span role="status">{children}</span>
        <SegmentedLinks label="Range of the chart" links={ranges} />
      </div>
    </header>
  );
}

function Headline({ board: { price, change, updatedAt }, over }: { board: Board; over: string }) {
  return (
    <section className={styles.sky} aria-label="The price now">
      <div>
        <p className={styles.priceTerm}>{price ? "1 MOB is worth" : "1 MOB in USDT"}</p>
        <p className={styles.price}>
          {price ? (
            <>
              {price.mobUsdt} <span className={styles.unit}>USDT</span>
            </>
          ) : (
            "No price"
          )}
        </p>
      </div>
      <div className={styles.otherWay}>
        {price ? <p className={styles.second}>1 USDT = {price.usdtMob} MOB</p> : null}
        {price && change ? (
          <p className={styles.aside}>
            {change} over {over}
          </p>
        ) : null}
        {updatedAt ? (
          // A line of its own: the time may change its length once the visitor's zone is known.
          <p className={styles.aside}>
            {price ? "as of" : "the last one was of"} <Moment at={updatedAt} show="time" />
          </p>
        ) : null}
      </div>
    </section>
  );
}

function Ground({ board, over }: { board: Board; over: string }) {
  return (
    <div className={styles.ground}>
      <dl className={styles.facts}>
        {board.facts.map(({ name, value }) => (
          <div key={name}>
            <dt className={styles.factName}>{name}</dt>
            <dd className={styles.factValue}>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.foot}>
        {board.chains.map(({ name, words, height, ok }) => (
          <span key={name} className={styles.chain}>
            <Badge tone={ok ? "good" : "waiting"}>{name}</Badge>
            {words}
            {height === null ? null : `, block ${height}`}
          </span>
        ))}
        <span className={styles.footLinks}>
          <Link className={styles.footLink} to={paths.swap} prefetch="intent">
            Swap
          </Link>
          <Link className={styles.footLink} to={paths.welcomeStep(1)} prefetch="intent">
            How it works
          </Link>
        </span>
      </div>
      {board.chart ? (
        <div className={styles.tableBox}>
          <Disclosure summary="The chart as a table">
            <Table
              caption={`One MOB in USDT over ${over}, newest first`}
              rows={board.chart.rows}
              rowKey={({ at }) => at}
              columns={[
                { key: "at", header: "When", rowHeader: true, cell: ({ at }) => <Moment at={at} /> },
                { key: "rate", header: "USDT for 1 MOB", numeric: true, cell: ({ shown }) => shown },
              ]}
            />
          </Disclosure>
        </div>
      ) : null}
    </div>
  );
}
