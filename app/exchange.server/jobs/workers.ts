import { setTimeout as sleep } from "node:timers/promises";
import PgBoss from "pg-boss";
import type { Logger } from "pino";
import type { OpenDatabase } from "../db/open";
import { describeError } from "../http/error-answers";
import type { Job } from "./jobs";

export type Workers = { start(): Promise<void>; stop(): Promise<void> };

/** A run that takes longer counts as dead, and its queue goes on without it. */
const expireInSeconds = 120;
const cronEveryMinute = "* * * * *";

/**
 * Runs the jobs on pg-boss. Each queue keeps itself going: a run ends by sending the next,
 * and the queue takes no second one that waits (policy `short`). Should a process die
 * between the two, its next start, or the queue's minute, sends one anew.
 */
export function createWorkers(database: OpenDatabase, jobs: Job[], log: Logger): Workers {
  let boss: PgBoss | null = null;
  let stopping = false;
  return {
    async start() {
      stopping = false;
      const started = new PgBoss({
        db: database,
        schema: "jobs",
        archiveCompletedAfterSeconds: 300,
        archiveFailedAfterSeconds: 3_600,
        deleteAfterSeconds: 900,
        maintenanceIntervalSeconds: 60,
      });
      started.on("error", (error) => {
        if (!stopping) log.error({ error: describeError(error) }, "the job queue failed");
      });
      await started.start();
      boss = started;
      // One after the other: making two queues at once deadlocks PostgreSQL.
      for (const job of jobs) await makeQueue(started, job.name);
      await Promise.all(jobs.map((job) => serve(started, job, log, () => stopping)));
    },
    async stop() {
      stopping = true;
      await boss?.stop({ graceful: true, wait: true, timeout: 10_000, close: false });
      boss = null;
    },
  };
}

/** Another process may be making the same queue at the same moment: then again, a little later. */
async function makeQueue(boss: PgBoss, name: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await boss.createQueue(name, { name, policy: "short", retryLimit: 0, expireInSeconds });
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await sleep(100 * attempt * (1 + Math.random()));
    }
  }
}

/**
 * One look into the queue for each run: an idle site's processor time goes into these looks.
 * The next run is due after half the pause at most, so that the look after it never misses it.
 */
async function serve(boss: PgBoss, job: Job, log: Logger, isStopping: () => boolean): Promise<void> {
  const sendNext = (startAfterMs: number) =>
    boss.send(job.name, {}, { startAfter: new Date(Date.now() + startAfterMs), retryLimit: 0, expireInSeconds });
  // Before the first look, which is made at once.
  await sendNext(0);
  const pollingIntervalSeconds = Math.max(0.5, job.everyMs / 1_000);
  await boss.work(job.name, { pollingIntervalSeconds, batchSize: 1 }, async () => {
    const began = performance.now();
    try {
      await job.run();
    } catch (error) {
      log.error({ job: job.name, error: describeError(error) }, "a job failed; it runs again");
    } finally {
      if (!isStopping()) await sendNext(Math.max(0, job.everyMs / 2 - (performance.now() - began)));
    }
  });
  await boss.schedule(job.name, cronEveryMinute);
}
