import { gt, lte, or, sql } from "drizzle-orm";
import type { OpenDatabase } from "../db/open";
import { jobRuns } from "../db/schema/jobs";
import type { Job } from "./job";

/**
 * Takes a job's next run, unless another process has run the job within about `intervalMs`: the job's own interval, or
 * a longer one while it has no work. Nothing depends on this check: it only saves work. An embedded database has only
 * one process, which takes every run.
 */
export async function claimRun(
  { db, kind }: OpenDatabase,
  { name, everyMs }: Job,
  intervalMs: number,
): Promise<boolean> {
  if (kind === "pglite") return true;
  // A little less than the interval, so that the job is due again for the process that ran it last time.
  const inMs = (ms: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${ms / 1_000}::double precision)`;
  const nextAt = inMs(0.9 * everyMs);
  const claimed = await db
    .insert(jobRuns)
    .values({ name, nextAt })
    .onConflictDoUpdate({
      target: jobRuns.name,
      set: { nextAt },
      // A run cannot have set this time: the database's clock was ahead and has been corrected.
      setWhere: or(lte(jobRuns.nextAt, inMs(0.9 * (everyMs - intervalMs))), gt(jobRuns.nextAt, inMs(everyMs))),
    })
    .returning({ name: jobRuns.name });
  return claimed.length === 1;
}
