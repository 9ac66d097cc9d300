import { pgTable, text } from "drizzle-orm/pg-core";
import { time } from "../columns";

/** What waits for an operator: one row per subject, until it is resolved. */
export const alerts = pgTable("alerts", {
  /** What the alert is about, such as `payment:ID`, `order:ID` or `reserves:ASSET`. */
  subject: text().primaryKey(),
  orderId: text(),
  /** What has happened, in sentences for the operator. */
  reason: text().notNull(),
  /** What the operator does about it. */
  action: text().notNull().default(""),
  since: time().notNull(),
  /** When the exchange tries again without an operator; null if it does not. */
  retryAt: time(),
});
