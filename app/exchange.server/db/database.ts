import { exists, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/**
 * A database handle or an open transaction, on PGlite or PostgreSQL. Functions must use the
 * one they are given: PGlite has a single connection, so using another handle inside a
 * transaction deadlocks.
 */
export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** Runs a raw query on either driver and returns its rows. */
export async function queryRows<T>(db: Database, query: SQL): Promise<T[]> {
  const result = (await db.execute(query)) as unknown as { rows: T[] };
  return result.rows;
}

/** Finds out, with one statement, which of these queries have rows. */
export async function whichExist<K extends string>(
  db: Database,
  queries: Record<K, SQLWrapper>,
): Promise<Record<K, boolean>> {
  const asked = Object.entries<SQLWrapper>(queries).map(([name, query]): [string, SQL] => [name, exists(query)]);
  const [row] = await db.select(Object.fromEntries(asked)).from(sql`(select 1) as one`);
  return row as Record<K, boolean>;
}

/**
 * Waits for an advisory lock and holds it until the transaction ends. For resources without a
 * row to lock, such as a signer's next nonce. `name` is hashed to 64 bits.
 */
export async function lockFor(tx: Database, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/**
 * An SQL expression that waits for the lock of `lockFor`, and shares it with other transactions that take it with this
 * expression.
 */
export const sharedLock = (name: string): SQL => sql`pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`;

/** An SQL expression that takes the lock of `lockFor`. It does not wait: if the lock is already taken, it is false. */
export const tryLock = (name: string): SQL<boolean> =>
  sql<boolean>`pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`;
