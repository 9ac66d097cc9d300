import { Link } from "@remix-run/react";
import { Wordmark } from "~/components/brand/wordmark";
import { DateTime } from "~/components/locale/date-time";
import { link } from "~/components/shell/header.css";
import { navItems } from "~/components/shell/navigation";
import { paths, withParams } from "~/lib/paths";
import { type RateRange, rateRanges } from "~/lib/rate-ranges";
import { Badge } from "~/ui/badge";
import { Disclosure } from "~/ui/disclosure";
import { SegmentedLinks } from "~/ui/segmented-links";
import { Spinner } from "~/ui/spinner";
import { Table } from "~/ui/table";
import { PriceChart, Span } from "./price-chart";
import * as styles from "./rates-page.css";
import { type RatesView, rangeNames } from "./rates-view";

type Props = { view: RatesView; range: RateRange };

export function RatesPage({ view, range }: Props) {
  const rangeName = rangeNames[range];
  return (
    <>
      <PageHeader>
        {/* refresh.js shows one of these two. */}
        <span data-connection="ok">
          <Badge tone={view.status.open ? "good" : "waiting"}>{view.status.label}</Badge>
        </span>
        <span data-connection="lost" hidden>
          <Badge tone="waiting">Connection lost, retrying</Badge>
        </span>
      </PageHeader>
      <div className={styles.aboveChart}>
        <CurrentPrice view={view} rangeName={rangeName} />
        <RangeLinks range={range} />
      </div>
      {view.chart ? (
        <PriceChart chart={view.chart} rangeName={rangeName} change={view.change} since={view.since} />
      ) : (
        <p className={styles.message}>There are too few prices in this range for a chart yet.</p>
      )}
      <Details view={view} rangeName={rangeName} />
    </>
  );
}

/** Shown while the exchange doesn't respond. */
export function RatesUnavailable({ range }: Pick<Props, "range">) {
  return (
    <>
      <PageHeader>
        <Badge tone="waiting">Unavailable</Badge>
      </PageHeader>
      <div className={styles.aboveChart}>
        <RangeLinks range={range} />
      </div>
      <div className={styles.message}>
        <Spinner>The exchange isn't responding. This page retries automatically.</Spinner>
      </div>
    </>
  );
}

function PageHeader({ children }: { children: React.ReactNode }) {
  return (
    <header className={styles.header}>
      <Wordmark />
      {/* The page is the same for everyone. Signed-out visitors are asked to sign in when they open a page of their
          account. */}
      <nav className={styles.nav} aria-label="Main">
        {navItems.map(({ key, to, label }) => (
          <Link key={key} to={to} className={link} aria-current={key === "rates" ? "page" : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <h1 className={styles.title}>Rates</h1>
      <div className={styles.headerEnd}>
        <span role="status">{children}</span>
      </div>
    </header>
  );
}

function RangeLinks({ range }: Pick<Props, "range">) {
  const ranges = rateRanges.map((key) => ({
    to: withParams(paths.vegas, { range: key }),
    label: rangeNames[key],
    current: key === range,
  }));
  return (
    <div className={styles.range}>
      <SegmentedLinks label="Chart range" links={ranges} />
    </div>
  );
}

type SectionProps = { view: RatesView; rangeName: string };

function CurrentPrice({ view: { price, change, since, updatedAt }, rangeName }: SectionProps) {
  return (
    <section className={styles.currentPrice} aria-label="Current price">
      <div className={styles.mobPrice}>
        <p className={styles.priceLabel}>{price ? "1 MOB is worth" : "1 MOB in USDT"}</p>
        <p className={styles.price}>
          {price ? (
            <>
              {price.mobUsdt} <span className={styles.unit}>USDT</span>
            </>
          ) : (
            <span className={styles.noPrice}>No reliable price right now</span>
          )}
        </p>
      </div>
      <div className={styles.inversePrice}>
        {price ? <p className={styles.inverseAmount}>1 USDT = {price.usdtMob} MOB</p> : null}
        {price && change ? (
          <p className={styles.aside}>
            {change} <Span rangeName={rangeName} since={since} />
          </p>
        ) : null}
        {updatedAt ? (
          // On its own line: the time can change its length once the visitor's time zone is known.
          <p className={styles.aside}>
            {price ? "as of" : "last updated"} <DateTime at={updatedAt} show={price ? "time" : "day-and-time"} />
          </p>
        ) : null}
      </div>
    </section>
  );
}

function Details({ view, rangeName }: SectionProps) {
  const { since } = view;
  return (
    <div className={styles.details}>
      <dl className={styles.terms}>
        {view.terms.map(({ name, value }) => (
          <div key={name}>
            <dt className={styles.termName}>{name}</dt>
            <dd className={styles.termValue}>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.footer}>
        {view.chains.map(({ name, status, height, ok }) => (
          <span key={name} className={styles.chain}>
            <Badge tone={ok ? "good" : "waiting"}>{name}</Badge>
            {status}
            {height === null ? null : `, block ${height}`}
          </span>
        ))}
        <span className={styles.footerLinks}>
          <Link className={styles.footerLink} to={paths.priceAlerts}>
            Price alerts
          </Link>
          <Link className={styles.footerLink} to={paths.welcomeStep(1)}>
            How it works
          </Link>
        </span>
      </div>
      {view.chart ? (
        <div className={styles.tableBox}>
          <Disclosure summary="Chart data as a table">
            <Table
              caption={
                <>
                  1 MOB in USDT <Span rangeName={rangeName} since={since} />, newest first
                </>
              }
              rows={view.chart.rows}
              rowKey={({ at }) => at}
              columns={[
                { key: "at", header: "Time", rowHeader: true, cell: ({ at }) => <DateTime at={at} /> },
                { key: "rate", header: "USDT per MOB", numeric: true, cell: ({ formatted }) => formatted },
              ]}
            />
          </Disclosure>
        </div>
      ) : null}
    </div>
  );
}
