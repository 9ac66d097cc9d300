import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { sql } from "drizzle-orm";
import pg from "pg";
import { inject } from "vitest";
import { type Database, queryRows } from "~/exchange.server/db/database";
import { type OpenDatabase, openPool } from "~/exchange.server/db/open";
import { createPool } from "~/exchange.server/db/pool";
import { emptyDatabase } from "./empty-database";
import { until } from "./until";

/** A database of this worker and the connections to it. */
type Kept = { url: string; pool: pg.Pool };

/** Emptied databases of this worker. They are global because mutation tests reload this module for every change. */
const worker = globalThis as { antelopeKept?: Kept[] };
worker.antelopeKept ??= [];
const idle = worker.antelopeKept;

/**
 * Opens a migrated, empty database in the run's PostgreSQL. Its `close` empties it for the next test of this worker,
 * with its connections: a new one reads the catalogue again, which takes longer than most tests' statements.
 */
export async function openKeptPostgres(): Promise<OpenDatabase> {
  const kept = idle.pop() ?? (await keepNew());
  const { pool, end } = lend(kept.pool);
  const close = async () => {
    await end();
    if (await makeReady(kept)) idle.push(kept);
    else await discard(kept);
  };
  return { ...(await openPool(pool, kept.url)), close };
}

/** Creates a migrated, empty database in the run's PostgreSQL and returns its URL. */
export function createTestPostgres(): Promise<string> {
  return onServer((client) => createDatabase(client, `template ${inject("postgresTemplate")}`));
}

/** Creates a database without tables in the run's PostgreSQL and returns its URL. */
export function createEmptyPostgres(): Promise<string> {
  return onServer((client) => createDatabase(client, ""));
}

async function keepNew(): Promise<Kept> {
  const url = await createTestPostgres();
  const pool = createPool({
    connectionString: url,
    application_name: "antelope",
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  return { url, pool };
}

/** Lends a pool to one test. After `end`, code that the test left running can no longer use a connection. */
function lend(pool: pg.Pool): { pool: pg.Pool; end(): Promise<void> } {
  let isOver = false;
  const lent = new Proxy(pool, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== "connect" && key !== "query") return value;
      return async (...args: unknown[]) => {
        if (isOver) throw new Error("the test that opened this database has closed it");
        return Reflect.apply(value as (...args: unknown[]) => unknown, target, args);
      };
    },
  });
  return {
    pool: lent,
    async end() {
      isOver = true;
      while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await once(pool, "release");
    },
  };
}

/** Empties a database and resets its sessions. Returns false if it is still in use or its shape has changed. */
async function makeReady({ pool }: Kept): Promise<boolean> {
  const clients = await Promise.all(Array.from({ length: Math.max(1, pool.totalCount) }, () => pool.connect()));
  try {
    const [client] = clients as [pg.PoolClient];
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
    );
    if (rows[0]?.count !== clients.length) return false;
    // Named statements stay: clients remember those that they have sent.
    for (const one of clients) await one.query("reset all; unlisten *; select pg_advisory_unlock_all()");
    return await emptyDatabase(client, inject("postgresShape"));
  } finally {
    for (const client of clients) client.release();
  }
}

async function discard({ url, pool }: Kept): Promise<void> {
  await pool.end();
  await onServer((client) => client.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`));
}

async function createDatabase(client: pg.Client, options: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await client.query(`create database ${name} ${options}`);
  return toUrl(name);
}

const toUrl = (name: string) => `${inject("postgresUrl")}/${name}`;

async function onServer<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: toUrl("postgres") });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Resolves when this many connections to this PostgreSQL database wait for a lock. Not for use inside a
 * transaction, where PostgreSQL shows the activity as it was at the first look.
 */
export async function untilBlocked(db: Database, connections = 1): Promise<void> {
  const query = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const areBlocked = async () => (await queryRows(db, query)).length >= connections;
  await until(`${connections} connections that wait for a lock`, areBlocked, { timeoutMs: 20_000, everyMs: 10 });
}
