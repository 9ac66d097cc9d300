import { eq, isNull, ne, or, sql } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import { type Database, rowsOf } from "../db/database";
import { walletHistories } from "../db/schema/history";

/** The fewest order numbers to skip after a restored backup, which does not know the funding addresses given out since. */
const skippedNumbers = 10_000;
/** `skipNumbers` counts the seconds since this time. */
const numbersSinceMs = Date.UTC(2025, 0, 1);

/**
 * Skips order numbers if the database is not the one of the last start: it was restored from a dump or copied from a
 * template, or its server was restored from an archive. Orders made since may have the funding addresses of these
 * numbers.
 */
export async function skipNumbersOfRestored(ctx: ExchangeContext): Promise<void> {
  const { id: databaseId, before } = await readDatabaseId(ctx.db);
  const at = await ctx.clock.now(ctx.db);
  const isRestored = await ctx.db.transaction(async (tx) => {
    // Stored by an earlier version, which knew less of the same database.
    await tx
      .update(walletHistories)
      .set({ databaseId })
      .where(or(isNull(walletHistories.databaseId), eq(walletHistories.databaseId, before)));
    const moved = await tx
      .update(walletHistories)
      .set({ databaseId })
      .where(ne(walletHistories.databaseId, databaseId))
      .returning({ databaseId: walletHistories.databaseId });
    if (moved.length > 0) await skipNumbers(tx, at);
    return moved.length > 0;
  });
  if (isRestored) ctx.log.warn({ databaseId }, "the database was restored or moved: order numbers are skipped");
}

/**
 * Continues with a number that grows by one a second. If the same backup is restored twice, the second restore also
 * skips the numbers given out after the first, as long as there is at most one order a second.
 */
export async function skipNumbers(db: Database, at: Date): Promise<void> {
  const seconds = Math.floor((at.getTime() - numbersSinceMs) / 1000);
  await skipNumbersThrough(db, Math.max(seconds, (await readLastNumber(db)) + skippedNumbers));
}

/** Gives out only order numbers after this one. */
export async function skipNumbersThrough(db: Database, number: number): Promise<void> {
  await db.execute(
    sql`select setval('orders_number_seq', ${number}::bigint) from orders_number_seq where last_value < ${number}::bigint`,
  );
}

/** The last order number given out, 0 if there is none. */
export async function readLastNumber(db: Database): Promise<number> {
  const query = sql`select (case when is_called then last_value else last_value - 1 end)::text as number from orders_number_seq`;
  const [row] = await rowsOf<{ number: string }>(db, query);
  return Number(row?.number);
}

/**
 * Identifies the database by its server and timeline (as far as our role may read them), by its tables, and by its own
 * id, because a copy has the same tables. `before`: the id that earlier versions stored for this database.
 */
export async function readDatabaseId(db: Database): Promise<{ id: string; before: string }> {
  const ofServer = sql`select (select system_identifier from pg_control_system())::text
      || ':' || (select timeline_id from pg_control_checkpoint())::text as id`;
  const ofDatabase = sql`select 'orders'::regclass::oid::text as tables,
      (select oid from pg_database where datname = current_database())::text as id`;
  const [server] = await rowsOf<{ id: string }>(db, ofServer).catch(() => [{ id: "unknown" }]);
  const [database] = await rowsOf<{ tables: string; id: string }>(db, ofDatabase);
  const before = `${server?.id}:${database?.tables}`;
  return { id: `${before}:${database?.id}`, before };
}
