import { pgTable, text, timestamp } from "drizzle-orm/pg-core";

/** When the next run of each job is due; see jobs/claims.ts. */
export const jobRuns = pgTable("job_runs", {
  name: text().primaryKey(),
  nextAt: timestamp({ withTimezone: true }).notNull(),
});
