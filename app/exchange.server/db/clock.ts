import { sql } from "drizzle-orm";
import { type Database, rowsOf } from "./database";

/**
 * The time used for every decision about money: the database's, so that all processes agree.
 * Reads `clock_timestamp()` and not `now()`, which is the start of the transaction: after
 * waiting for a lock, the time must be current.
 */
export type Clock = {
  now(db: Database): Promise<Date>;
};

/** The database's clock. Each reading adds `offsetMs()`, which tests use to move time. */
export function createClock(offsetMs: () => number = () => 0): Clock {
  return {
    async now(db) {
      const [row] = await rowsOf<{ ms: string }>(
        db,
        sql`select floor(extract(epoch from clock_timestamp()) * 1000)::text as ms`,
      );
      return new Date(Number(row?.ms) + offsetMs());
    },
  };
}
