import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { time } from "../columns";

/**
 * Why new swaps (`swaps`) or payments (`payments`) are switched off, one row per cause. If there are no rows, they are
 * on.
 */
export const switches = pgTable(
  "switches",
  {
    name: text().notNull(),
    /** Such as `nonce:USDT` or `deposit:ID`; for an operator, the reason. */
    cause: text().notNull(),
    /** A sentence for the operator. */
    reason: text().notNull(),
    since: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.cause] })],
);
