import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import { inject } from "vitest";
import { type Database, rowsOf } from "../../app/exchange.server/db/database";
import { emptyDatabase } from "./empty-database";

/** Returns the URL of a migrated, empty database in the run's PostgreSQL: one that was given back, or a new one. */
export function createTestPostgres(): Promise<string> {
  return onServer(async (client) => {
    const { rows } = await client.query<{ name: string }>(`delete from unused where name in
      (select name from unused limit 1 for update skip locked) returning name`);
    return rows[0] ? toUrl(rows[0].name) : createDatabase(client, `template ${inject("postgresTemplate")}`);
  });
}

/** Creates a database without tables in the run's PostgreSQL and returns its URL. */
export function createEmptyPostgres(): Promise<string> {
  return onServer((client) => createDatabase(client, ""));
}

/**
 * Empties a database of `createTestPostgres` for another test. It is deleted instead if something is still connected to
 * it or its schema was changed.
 */
export async function giveBackPostgres(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const isEmpty = await connected(databaseUrl, async (client) => {
    const others = "select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    if ((await client.query(others)).rowCount !== 0) return false;
    return emptyDatabase(client, inject("postgresShape"));
  });
  await onServer(async (client) => {
    if (isEmpty) await client.query("insert into unused values ($1)", [name]);
    else await client.query(`drop database ${name} with (force)`);
  });
}

async function createDatabase(client: pg.Client, options: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await client.query(`create database ${name} ${options}`);
  return toUrl(name);
}

const toUrl = (name: string) => `${inject("postgresUrl")}/${name}`;

const onServer = <Result>(work: (client: pg.Client) => Promise<Result>) => connected(toUrl("postgres"), work);

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Resolves when a connection to this PostgreSQL database waits for a lock. Not for use inside a
 * transaction, where PostgreSQL shows the activity as it was at the first look.
 */
export async function untilBlocked(db: Database): Promise<void> {
  const query = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(10)) {
    if ((await rowsOf(db, query)).length > 0) return;
  }
  throw new Error("no connection waits for a lock");
}
