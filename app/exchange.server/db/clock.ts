import { sql } from "drizzle-orm";
import { type Database, rowsOf } from "./database";

/**
 * The time that decides money: the database's, read at the moment of the call
 * (`clock_timestamp()`, not `now()`, which is the start of the transaction), so that
 * it is the time after a lock was taken. Tests move it with `offsetMs`.
 */
export type Clock = {
  now(db: Database): Promise<Date>;
};

/** The database's clock; `offsetMs` is asked at every reading. */
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
