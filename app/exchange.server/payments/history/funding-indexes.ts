import { eq, isNull, ne, or, sql } from "drizzle-orm";
import { revokeAllSessions } from "../../accounts/end-sessions";
import type { ExchangeContext } from "../../context";
import { type Database, queryRows } from "../../db/database";
import { hasSqlState } from "../../db/has-sql-state";
import { walletHistories } from "../../db/schema/history";

/** The fewest indexes to skip after a restored backup, which lacks the funding addresses given out since. */
const skippedIndexes = 10_000;
/** Stands for the server if the database role may not identify it. */
const unknownServer = "unknown";
/** `skipFundingIndexes` counts the seconds since this time. */
const countedSinceMs = Date.UTC(2025, 0, 1);

/**
 * Skips funding indexes if this is not the database of the last start, because it was restored from a dump or copied
 * from a template, or its server was restored from an archive. Orders made since may have the funding addresses of
 * these indexes. Also signs everyone out: sessions that were ended since are open again.
 */
export async function skipFundingIndexesOfRestored(ctx: ExchangeContext): Promise<void> {
  const { id: databaseId, before } = await readDatabaseId(ctx.db);
  if (databaseId.startsWith(`${unknownServer}:`)) {
    ctx.log.warn(
      "the database role may not call pg_control_system() and pg_control_checkpoint(), so a database restored to another server goes undetected",
    );
  }
  const at = await ctx.clock.now(ctx.db);
  const isRestored = await ctx.db.transaction(async (tx) => {
    // Stored by an earlier version, which stored less about the same database.
    await tx
      .update(walletHistories)
      .set({ databaseId })
      .where(or(isNull(walletHistories.databaseId), eq(walletHistories.databaseId, before)));
    const moved = await tx
      .update(walletHistories)
      .set({ databaseId })
      .where(ne(walletHistories.databaseId, databaseId))
      .returning({ databaseId: walletHistories.databaseId });
    if (moved.length === 0) return false;
    await skipFundingIndexes(tx, at);
    await revokeAllSessions(tx, at);
    return true;
  });
  if (isRestored)
    ctx.log.warn(
      { databaseId },
      "the database was restored or moved: funding indexes are skipped, and everyone is signed out",
    );
}

/**
 * Continues with an index that grows by one a second. If the same backup is restored twice, the second restore also
 * skips the indexes given out after the first, as long as there is at most one order a second.
 */
export async function skipFundingIndexes(db: Database, at: Date): Promise<void> {
  const seconds = Math.floor((at.getTime() - countedSinceMs) / 1000);
  await skipFundingIndexesThrough(db, Math.max(seconds, (await readLastFundingIndex(db)) + skippedIndexes));
}

/** Gives out only funding indexes after this one. */
export async function skipFundingIndexesThrough(db: Database, index: number): Promise<void> {
  await db.execute(
    sql`select setval('orders_number_seq', ${index}::bigint) from orders_number_seq where last_value < ${index}::bigint`,
  );
}

/** The last funding index given out, 0 if there is none. */
export async function readLastFundingIndex(db: Database): Promise<number> {
  const query = sql`select (case when is_called then last_value else last_value - 1 end)::text as index from orders_number_seq`;
  const [row] = await queryRows<{ index: string }>(db, query);
  return Number(row?.index);
}

/** The role may not call the functions that identify the server, or they don't exist. */
const mayNotIdentify = /^(42501|42883)$/;

/**
 * Identifies the database by its server and timeline (as far as our role may read them), by its tables, and by its own
 * id, because a copy has the same tables. `before`: the id that earlier versions stored for this database.
 */
export async function readDatabaseId(db: Database): Promise<{ id: string; before: string }> {
  const ofServer = sql`select (select system_identifier from pg_control_system())::text
      || ':' || (select timeline_id from pg_control_checkpoint())::text as id`;
  const ofDatabase = sql`select 'orders'::regclass::oid::text as tables,
      (select oid from pg_database where datname = current_database())::text as id`;
  const [server] = await queryRows<{ id: string }>(db, ofServer).catch((error: unknown) => {
    if (!hasSqlState(error, mayNotIdentify)) throw error;
    return [{ id: unknownServer }];
  });
  const [database] = await queryRows<{ tables: string; id: string }>(db, ofDatabase);
  const before = `${server?.id}:${database?.tables}`;
  return { id: `${before}:${database?.id}`, before };
}
