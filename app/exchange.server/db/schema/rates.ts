import { index, pgTable, serial } from "drizzle-orm/pg-core";
import { baseUnits, time } from "../columns";

/** The history of rates: USDT per 1 MOB with 12 decimals. If `bid` and `ask` are null, both are `rate`. */
export const ratePoints = pgTable(
  "rate_points",
  {
    id: serial().primaryKey(),
    rate: baseUnits().notNull(),
    /** What the exchange paid and asked for 1 MOB at that time. */
    bid: baseUnits(),
    ask: baseUnits(),
    at: time().notNull(),
  },
  (t) => [index("rate_points_at").on(t.at)],
);
