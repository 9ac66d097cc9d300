import { index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { baseUnits, time } from "../columns";
import { accounts } from "./accounts";

/** Price alerts. A row is deleted in the transaction that queues its e-mail. */
export const priceAlerts = pgTable(
  "price_alerts",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    /** "above": when 1 MOB costs more than `rate`; "below": when it costs less. */
    direction: text({ enum: ["above", "below"] }).notNull(),
    /** USDT per 1 MOB with 12 decimals. */
    rate: baseUnits().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("price_alerts_once").on(t.accountId, t.direction, t.rate),
    index("price_alerts_due").on(t.direction, t.rate),
  ],
);
