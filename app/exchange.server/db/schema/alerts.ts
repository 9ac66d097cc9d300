import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

/** What waits for an operator: one row per payment, order or chain, until it is resolved. */
export const alerts = pgTable("alerts", {
  /** `payment:ID`, `order:ID` or `consolidation:ASSET`. */
  subject: text().primaryKey(),
  orderId: text(),
  /** A sentence for the operator. */
  reason: text().notNull(),
  since: time().notNull(),
  /** When the exchange tries again without an operator; null if it does not. */
  retryAt: time(),
});
