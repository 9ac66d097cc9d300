import { bigserial, index, pgTable, text, timestamp } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

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
