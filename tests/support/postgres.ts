import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import pg from "pg";
import { inject } from "vitest";
import { type Database, rowsOf } from "../../app/exchange.server/db/database";

/** Creates a migrated database in the run's PostgreSQL and returns its URL. */
export function createTestPostgres(): Promise<string> {
  return createDatabase(`template ${inject("postgresTemplate")}`);
}

/** Creates an empty database in the run's PostgreSQL and returns its URL. */
export function createEmptyPostgres(): Promise<string> {
  return createDatabase("");
}

/** Deletes a database that one of these functions has created, although something may still be connected to it. */
export async function dropTestPostgres(databaseUrl: string): Promise<void> {
  await runOnServer(`drop database ${new URL(databaseUrl).pathname.slice(1)} with (force)`);
}

async function createDatabase(options: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await runOnServer(`create database ${name} ${options}`);
  return `${inject("postgresUrl")}/${name}`;
}

async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${inject("postgresUrl")}/postgres` });
  await client.connect();
  await client.query(statement);
  await client.end();
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
