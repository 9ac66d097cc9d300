import { index, pgTable, serial, timestamp } from "drizzle-orm/pg-core";
import { baseUnits } from "../db/columns";

/** USDT per 1 MOB, 12 decimals, as it was learned. */
export const ratePoints = pgTable(
  "rate_points",
  {
    id: serial().primaryKey(),
    rate: baseUnits().notNull(),
    at: timestamp({ withTimezone: true }).notNull(),
  },
  (t) => [index("rate_points_at").on(t.at)],
);
