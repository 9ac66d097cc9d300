import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openPostgres } from "~/exchange.server/db/open";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { createBookChecks } from "~/exchange.server/ledger/check-recent-books";
import { startPostgres } from "../support/postgres-server";
import { connect } from "../support/sign-up";
import { createBenchAccount } from "./account";
import { measure } from "./load";
import { insertSettledOrders, insertTraders, type Trader } from "./scale-data";
import { startSite } from "./servers";
import { count, ms, percentile, printTable } from "./table";

const email = "scale@example.org";
const sizes = [0, 10_000, 100_000, 1_000_000];
/**
 * How many quotes are locked ten at a time, as fast as the site can lock them, and then as many again at a fixed rate.
 */
const locks = 300;
const parallel = 10;
const ratePerSecond = 50;
const idleMs = 30_000;
/** The job that checks the books runs every 30 seconds; its first run reads all orders that were inserted. */
const settleMs = 60_000;

/** How the exchange behaves as settled orders pile up: a site on a PostgreSQL of its own, in sandbox mode. */
export async function benchScale(): Promise<void> {
  const postgres = await startPostgres();
  const url = `${postgres.url}/postgres`;
  const site = await startSite({ env: { DATABASE_URL: url } }).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  try {
    const { cookie } = await prepare(site.origin);
    const rows: string[][] = [];
    for (const [at, size] of sizes.entries()) {
      const from = (sizes[at - 1] ?? 0) + 1;
      if (size > 0) await insertSettledOrders(url, { from, to: size });
      await sleep(settleMs);
      rows.push([count(size), ...(await measureSize(site.origin, { url, cookie, prefix: `trader-${at}` }))]);
      process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
    }
    printTable(
      `With many settled orders on PostgreSQL (${locks} locks, ${parallel} at a time)`,
      [
        "orders",
        "locks/s",
        "p99",
        `p99 at ${ratePerSecond}/s`,
        "quotes/s",
        "form p50",
        "/doger p50",
        "recent books",
        "all books",
        "idle database",
      ],
      rows,
    );
  } finally {
    await site.stop();
    await postgres.stop();
  }
}
async function prepare(origin: string): Promise<{ cookie: string }> {
  const { token, cookie } = await createBenchAccount(origin, email);
  const api = connect({ origin, fetch }, token);
  const wallet = (await (await fetch(`${origin}/sandbox/mobilecoin/wallet`)).json()) as { address: string };
  await api.addAddress({ type: "MOB", address: wallet.address, label: "" });
  await api.addAddress({ type: "ETH", address: `0x${"5a".repeat(20)}`, label: "" });
  return { cookie };
}

async function measureSize(
  origin: string,
  { url, cookie, prefix }: { url: string; cookie: string; prefix: string },
): Promise<string[]> {
  const traders = await insertTraders(url, { email, prefix, count: 2 * locks });
  const idle = await measureIdle(url);
  const locking = await measureLocks(origin, traders);
  const headers = { "X-Auth-Token": traders[0]?.token ?? "", "Content-Type": "application/json", Origin: origin };
  const body = JSON.stringify({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" });
  const quotes = await measure(`${origin}/api/swap/quotes`, { method: "POST", headers, body });
  const form = await measure(`${origin}/swap/usdt-to-mob`, { headers: { Cookie: cookie } });
  const account = await measure(`${origin}/doger`, { headers: { Cookie: cookie } });
  const failed = quotes.failed + form.failed + account.failed;
  if (failed > 0) process.stdout.write(`${failed} requests failed\n`);
  return [
    count(locking.perSecond),
    ms(locking.p99),
    ms(locking.p99AtRate),
    count(quotes.perSecond),
    ms(form.p50),
    ms(account.p50),
    ...(await measureBooks(url)),
    `${(idle * 100).toFixed(1)} %`,
  ];
}

type Locking = { perSecond: number; p99: number; p99AtRate: number };

/** Locks one quote of each trader. */
async function measureLocks(origin: string, traders: Trader[]): Promise<Locking> {
  const quotes: { trader: Trader; quoteId: number }[] = [];
  await inParallel(traders, async (trader) => {
    const request = { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" } as const;
    quotes.push({ trader, quoteId: (await connect({ origin, fetch }, trader.token).createQuote(request)).id });
  });
  const lock = ({ trader, quoteId }: (typeof quotes)[number]) =>
    time(() => {
      const addresses = { delivery_address_id: trader.deliveryId, refund_address_id: trader.refundId };
      return connect({ origin, fetch }, trader.token).lockQuote(quoteId, addresses, `lock-${quoteId}`);
    });
  const times: number[] = [];
  const tookMs = await time(() =>
    inParallel(quotes.splice(0, locks), async (quote) => {
      times.push(await lock(quote));
    }),
  );
  const timesAtRate = await Promise.all(
    quotes.map(async (quote, index) => {
      await sleep((index * 1_000) / ratePerSecond);
      return lock(quote);
    }),
  );
  return {
    perSecond: (times.length / tookMs) * 1_000,
    p99: percentile(times, 0.99),
    p99AtRate: percentile(timesAtRate, 0.99),
  };
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const workers = Array.from({ length: parallel }, async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  });
  await Promise.all(workers);
}

/** The job `check-books`, as it runs every 30 seconds and as it runs once a day. */
async function measureBooks(url: string): Promise<string[]> {
  const database = await openPostgres(url);
  try {
    const check = createBookChecks(database.db);
    const faults = await check(new Date());
    if (faults.length > 0) process.stdout.write(`${faults.join("\n")}\n`);
    const recent = await time(() => check(new Date()));
    return [ms(recent), ms(await time(() => checkBooks(database.db)))];
  } finally {
    await database.close();
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** The share of the time that PostgreSQL runs statements while only the jobs do. */
async function measureIdle(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const read = async () => {
      const { rows } = await client.query(
        "select pg_stat_clear_snapshot(), active_time from pg_stat_database where datname = current_database()",
      );
      return Number(rows[0]?.active_time);
    };
    const before = await read();
    await sleep(idleMs);
    return ((await read()) - before) / idleMs;
  } finally {
    await client.end();
  }
}
