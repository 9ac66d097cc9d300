import { sql } from "drizzle-orm";
import { type Database, queryRows } from "./database";

/** The time used for every decision about money: the database's, so that all processes agree. */
export type Clock = {
  now(db: Database): Promise<Date>;
};

/** How long a reading of the database's time is used before the time is read again. */
const rereadAfterMs = 10_000;
/** The largest error of a calculated time. A reading that took longer than this is used only once. */
const maxErrorMs = 50;

/** The database's time, and the two local clocks when it arrived. */
type Reading = { database: number; monotonic: number; wall: number };

/**
 * The database's clock. Each reading adds `offsetMs()`, which tests use to move time.
 *
 * For a while after a reading, the time is calculated with this machine's monotonic clock, so that most calls don't
 * need a statement. The result is never ahead of the database, and at most `maxErrorMs` behind it, apart from the
 * clocks' drift within ten seconds; docs/order-lifecycle.md explains why that is enough. After the machine was
 * suspended, the time is read again.
 */
export function createClock(offsetMs: () => number = () => 0): Clock {
  let reading: Reading | null = null;
  return {
    async now(db) {
      const carried = reading && carryForward(reading);
      if (carried !== null) return new Date(carried + offsetMs());
      const sentAt = performance.now();
      const database = await readDatabaseTime(db);
      const monotonic = performance.now();
      // Another call may have read the time in the meantime. The later time is the more accurate one.
      const current = reading && carryForward(reading);
      if (current !== null && current >= database) return new Date(current + offsetMs());
      reading = monotonic - sentAt <= maxErrorMs ? { database, monotonic, wall: Date.now() } : null;
      return new Date(database + offsetMs());
    },
  };
}

/** The database's time according to a reading, or null if the reading is too old or the machine was suspended since. */
function carryForward(reading: Reading): number | null {
  const elapsed = performance.now() - reading.monotonic;
  const wallElapsed = Date.now() - reading.wall;
  if (elapsed > rereadAfterMs || Math.abs(elapsed - wallElapsed) > maxErrorMs) return null;
  return Math.floor(reading.database + elapsed);
}

/** Reads `clock_timestamp()`, because `now()` is the start of the transaction: before any wait for a lock. */
async function readDatabaseTime(db: Database): Promise<number> {
  const [row] = await queryRows<{ ms: string }>(
    db,
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`,
  );
  return Number(row?.ms);
}
