import { setTimeout as sleep } from "node:timers/promises";
import PgBoss from "pg-boss";
import type { Logger } from "pino";
import type { OpenDatabase } from "../db/open";
import { describeError } from "../describe-error";
import type { Job } from "./jobs";

export type Workers = { start(): Promise<void>; stop(): Promise<void> };

/** A longer run counts as dead, and its queue continues without it. */
const expireInSeconds = 120;
const cronEveryMinute = "* * * * *";

/**
 * Runs the jobs on pg-boss. Every run ends by queueing the next one, and a queue holds at
 * most one waiting run (policy `short`). If a process dies in between, the next start or the
 * queue's schedule, within a minute, queues a run.
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
      // Sequentially: creating two queues at the same time deadlocks PostgreSQL.
      for (const job of jobs) await createQueue(started, job.name);
      await Promise.all(jobs.map((job) => startWorker({ boss: started, job, log, isStopping: () => stopping })));
    },
    async stop() {
      stopping = true;
      await boss?.stop({ graceful: true, wait: true, timeout: 10_000, close: false });
      boss = null;
    },
  };
}

/** Retries, because another process may be creating the same queue. */
async function createQueue(boss: PgBoss, name: string): Promise<void> {
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
 * Starts the worker of a job. It polls its queue once per run, because polling is what an
 * idle site spends its processor time on. The next run is due after at most half the
 * interval, so that the next poll finds it.
 */
async function startWorker(options: { boss: PgBoss; job: Job; log: Logger; isStopping: () => boolean }): Promise<void> {
  const { boss, job, log, isStopping } = options;
  const sendNext = (startAfterMs: number) =>
    boss.send(job.name, {}, { startAfter: new Date(Date.now() + startAfterMs), retryLimit: 0, expireInSeconds });
  // Before `work`, which polls immediately.
  await sendNext(0);
  const pollingIntervalSeconds = Math.max(0.5, job.everyMs / 1_000);
  await boss.work(job.name, { pollingIntervalSeconds, batchSize: 1 }, async () => {
    const startedAt = performance.now();
    try {
      await job.run();
    } catch (error) {
      log.error({ job: job.name, error: describeError(error) }, "a job failed; it runs again");
    } finally {
      if (!isStopping()) await sendNext(Math.max(0, job.everyMs / 2 - (performance.now() - startedAt)));
    }
  });
  await boss.schedule(job.name, cronEveryMinute);
}
