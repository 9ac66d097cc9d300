import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { openPostgres } from "~/exchange.server/db/open";
import { startPostgres } from "../support/postgres-server";
import { type CountedDatabase, countStatementsOf } from "./count-statements";
import { type Client, prepareWatchers, startClient } from "./crowd";
import type { Watcher } from "./crowd-data";
import { type RunningServer, readResident, startSite } from "./servers";
import { count, ms, percentile, printTable, seconds } from "./table";

const sizes = [1_000, 10_000];
const quietMs = 30_000;
/** How long to wait for streams to open. */
const openingMs = 600_000;
const changes = 50;
/** How long to wait for an event. */
const eventMs = 10_000;

/**
 * What open event streams cost, and how soon they report a change: a site on a PostgreSQL of its own, in sandbox mode.
 */
export async function benchWatchers(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "antelope-bench-watchers-"));
  const postgres = await startPostgres();
  const counted = await countStatementsOf(`${postgres.url}/postgres`);
  const database = new pg.Client({ connectionString: `${postgres.url}/postgres` });
  const clients: Client[] = [];
  let site: RunningServer | undefined;
  try {
    const env = { DATABASE_URL: counted.url };
    const openDatabase = () => openPostgres(counted.url);
    const watchers = await prepareWatchers(data, { streams: Math.max(...sizes), env, openDatabase });
    await database.connect();
    site = await startSite({ dataDir: data, env });
    await sleep(10_000);
    const idle = { resident: await readResident(site.pid), perSecond: await measureStatements(counted) };
    const rows = [["0", "–", "–", idle.perSecond.toFixed(1), "–", "–", "–", loadavg()[0]?.toFixed(1) ?? ""]];
    let from = 0;
    for (const size of sizes) {
      const file = join(data, `watchers-${size}.json`);
      await writeFile(file, JSON.stringify(watchers.slice(from, size)));
      const startedAt = performance.now();
      const client = startClient("watchers", String(site.port), file);
      clients.push(client);
      const opened = await untilOpen(client, size - from);
      const openedMs = performance.now() - startedAt;
      const perSecond = await measureStatements(counted);
      const perStream = ((await readResident(site.pid)) - idle.resident) / (from + opened);
      const told = await measureChanges(database, client, watchers.slice(from, size));
      const load = loadavg()[0]?.toFixed(1) ?? "";
      rows.push([
        count(from + opened),
        seconds(openedMs),
        `${count(perStream / 1_024)} KiB`,
        perSecond.toFixed(1),
        ms(percentile(told.ms, 0.5)),
        ms(percentile(told.ms, 0.99)),
        String(told.missing),
        load,
      ]);
      process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
      from = size;
    }
    const head = [
      "streams",
      "opened in",
      "each takes",
      "statements/s, quiet",
      "told p50",
      "told p99",
      "not told",
      "load",
    ];
    printTable(`Event streams on PostgreSQL (${changes} changes, each of an order with 4 watchers)`, head, rows);
  } finally {
    for (const client of clients) client.stop();
    await site?.stop();
    await database.end();
    await counted.stop();
    await postgres.stop();
    await rm(data, { recursive: true, force: true });
  }
}

/** Waits until the client has opened this many streams. Returns how many it has. */
async function untilOpen(client: Client, streams: number): Promise<number> {
  let events = 0;
  for (const end = performance.now() + openingMs; performance.now() < end; await sleep(200)) {
    events += (await client.report()).events;
    if (events >= streams) break;
  }
  return events;
}

/** Statements per second while nothing changes, the jobs' included. */
async function measureStatements(counted: CountedDatabase): Promise<number> {
  const before = counted.statements;
  await sleep(quietMs);
  return (counted.statements - before) / (quietMs / 1_000);
}

/** Changes orders one after the other, and measures when their watchers receive the change. */
async function measureChanges(
  database: pg.Client,
  client: Client,
  watchers: Watcher[],
): Promise<{ ms: number[]; missing: number }> {
  const orders = [...new Set(watchers.map(({ path }) => path.split("/")[3] ?? ""))];
  const told: number[] = [];
  let missing = 0;
  await client.report();
  for (let i = 0; i < changes; i += 1) {
    const id = orders[Math.floor((i * orders.length) / changes)];
    const expected = watchers.filter(({ path }) => path.split("/")[3] === id).length;
    const changedAt = performance.timeOrigin + performance.now();
    await database.query("update orders set updated_at = clock_timestamp() where id = $1", [id]);
    const heard: number[] = [];
    for (const end = performance.now() + eventMs; performance.now() < end && heard.length < expected; await sleep(20)) {
      heard.push(...(await client.report()).eventsAt);
    }
    told.push(...heard.map((at) => at - changedAt));
    missing += expected - heard.length;
  }
  return { ms: told, missing };
}
