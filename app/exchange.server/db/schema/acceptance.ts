import { bigserial, index, pgTable, text } from "drizzle-orm/pg-core";
import { time } from "../columns";

/** Spans of time in which new swaps were accepted (`reason` is null), or why they were not. */
export const acceptancePeriods = pgTable(
  "acceptance_periods",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    /** A reason code of `/api/status`. */
    reason: text(),
    startedAt: time().notNull(),
    /** When this was last observed. */
    endedAt: time().notNull(),
  },
  (t) => [index("acceptance_periods_ended").on(t.endedAt)],
);
