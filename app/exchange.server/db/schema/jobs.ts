import { pgTable, text } from "drizzle-orm/pg-core";
import { time } from "../columns";

/** When the next run of each job is due; see jobs/claims.ts. */
export const jobRuns = pgTable("job_runs", {
  name: text().primaryKey(),
  nextAt: time().notNull(),
});
