import { boolean, pgTable, text, timestamp } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

/** The operator's switches: `swaps` and `payments`. A missing row means on. */
export const switches = pgTable("switches", {
  name: text().primaryKey(),
  off: boolean().notNull(),
  /** Why it is off, for the operator; empty while on. */
  reason: text().notNull(),
  /** The cause whose end switches it on again, such as `reserves:USDT`; null: an operator does. */
  endsWith: text(),
  changedAt: time().notNull(),
});
