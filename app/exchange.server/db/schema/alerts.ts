import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

/** What waits for an operator: one row per subject, until it is resolved. */
export const alerts = pgTable("alerts", {
  /** What the alert is about, such as `payment:ID`, `order:ID` or `reserves:ASSET`. */
  subject: text().primaryKey(),
  orderId: text(),
  /** A sentence for the operator. */
  reason: text().notNull(),
  since: time().notNull(),
  /** When the exchange tries again without an operator; null if it does not. */
  retryAt: time(),
});
