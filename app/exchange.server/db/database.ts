import { type SQL, sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/**
 * A database handle or an open transaction; PGlite and PostgreSQL look alike through it.
 * Functions take it as their parameter and never reach for another: on PGlite a second
 * handle used inside a transaction waits for ever.
 */

export type Database = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** The rows of a raw query, from either driver. */
export async function rowsOf<T>(db: Database, query: SQL): Promise<T[]> {
  const result = (await db.execute(query)) as unknown as { rows: T[] };
  return result.rows;
}

/**
 * Takes a lock that ends with the transaction. `name` is hashed to 64 bits; used for
 * what has no row to lock: a signer's next nonce, one scan of a chain at a time.
 */
export async function lockFor(tx: Database, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** As `lockFor`, but answers false at once when somebody else holds it. */
export async function tryLockFor(tx: Database, name: string): Promise<boolean> {
  const [row] = await rowsOf<{ held: boolean }>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as held`,
  );
  return row?.held === true;
}
