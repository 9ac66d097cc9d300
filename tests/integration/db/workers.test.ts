import { sql } from "drizzle-orm";
import pino from "pino";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DbNotifications } from "~/exchange.server/db/notifications";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { openPostgres } from "~/exchange.server/db/open";
import { jobRuns } from "~/exchange.server/db/schema/jobs";
import { claimRun } from "~/exchange.server/jobs/claims";
import type { Job } from "~/exchange.server/jobs/job";
import { createWorkers, type Workers } from "~/exchange.server/jobs/workers";
import { deferred } from "../../support/deferred";
import { createTestPostgres } from "../../support/postgres";
import { openTestDatabase, testDatabases } from "../../support/test-database";
import { until } from "../../support/until";

const log = pino({ level: "silent" });
const announceMail = sql`insert into outbox (id, body, due_at, expires_at, created_at)
  select 'mail-' || gen_random_uuid(), '', now(), now(), now()`;

describe("the workers", () => {
  const opened: OpenDatabase[] = [];
  const started: Workers[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((workers) => workers.stop()));
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });
  const open = async (database: Promise<OpenDatabase>) => {
    opened.push(await database);
    return database;
  };
  const start = async (database: OpenDatabase, jobs: Job[]) => {
    const workers = createWorkers(database, jobs, log, new DbNotifications());
    started.push(workers);
    await workers.start();
  };
  const countRuns = (job: Partial<Job> & Pick<Job, "everyMs">) => {
    const runs = { count: 0 };
    const run = async () => {
      runs.count += 1;
    };
    return { runs, job: { name: "counting", run, ...job } };
  };

  it.each(testDatabases)(
    "run a job when its work is announced, long before its next regular check: %s",
    async (kind) => {
      const database = await open(openTestDatabase(kind));
      const { runs, job } = countRuns({ everyMs: 1, wakeOn: "mail", hasWork: async () => false });
      await start(database, [job]);
      await until("the first run", () => runs.count === 1);
      await database.db.execute(announceMail);
      await until("the second run", () => runs.count === 2);
    },
  );

  it("run again once they are connected to the database again: notifications may have been lost in the meantime", async () => {
    const url = await createTestPostgres();
    const [database, other] = await Promise.all([open(openPostgres(url)), open(openPostgres(url))]);
    const { runs, job } = countRuns({ everyMs: 1, wakeOn: "mail", hasWork: async () => false });
    await start(database, [job]);
    await until("the first run", () => runs.count === 1);
    await other.db.execute(
      sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where query ilike 'listen %' and pid <> pg_backend_pid()`,
    );
    await until("the second run", () => runs.count === 2);
  });

  it.each(testDatabases)("run again when work is announced during a run: %s", async (kind) => {
    const database = await open(openTestDatabase(kind));
    const { runs, job } = countRuns({ everyMs: 1, wakeOn: "mail", hasWork: async () => false });
    const first = deferred();
    const announced = { ...job, run: () => (runs.count === 0 ? job.run().then(() => first.promise) : job.run()) };
    await start(database, [announced]);
    await until("the first run", () => runs.count === 1);
    await database.db.execute(announceMail);
    // The notification is on its way by the time another statement has gone the same way.
    await database.db.execute(sql`select 1`);
    first.resolve();
    await until("the second run", () => runs.count === 2);
  });

  it.each(testDatabases)("ignore notifications while a job has work, if it keeps to its interval: %s", async (kind) => {
    const database = await open(openTestDatabase(kind));
    const longMs = 3_600_000;
    let hasWork = false;
    let checks = 0;
    const kept = countRuns({
      everyMs: longMs,
      idleMs: longMs,
      wakeOn: "mail",
      wakesFromIdleOnly: true,
      async hasWork() {
        checks += 1;
        return hasWork;
      },
    });
    const other = countRuns({ everyMs: longMs, wakeOn: "mail" });
    await start(database, [kept.job, { ...other.job, name: "other" }]);
    await until("the first runs", () => checks === 1 && other.runs.count === 1);
    hasWork = true;
    await database.db.execute(announceMail);
    await until("the second runs", () => checks === 2 && other.runs.count === 2);
    // It has work now, so it waits for the end of its interval, which is long.
    await database.db.execute(announceMail);
    await until("the other job's third run", () => other.runs.count === 3);
    expect(kept.runs.count).toBe(2);
  });

  it("run a job again after it failed", async () => {
    const database = await open(openTestDatabase("PGlite"));
    const { runs, job } = countRuns({ everyMs: 1 });
    const failing = {
      ...job,
      run: async () => {
        await job.run();
        throw new Error("as expected");
      },
    };
    await start(database, [failing]);
    await until("a third run", () => runs.count > 2);
  });

  it("run a job while one of its runs hangs, but not while two do", async () => {
    const database = await open(openTestDatabase("PGlite"));
    const ends: (() => void)[] = [];
    const run = () => new Promise<void>((resolve) => ends.push(resolve));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await start(database, [{ name: "hanging", everyMs: 1_000, run }]);
    const runsAfter = async (seconds: number) => {
      await vi.advanceTimersByTimeAsync(seconds * 1_000);
      return ends.length;
    };
    expect([await runsAfter(0), await runsAfter(125), await runsAfter(600)]).toEqual([1, 2, 2]);
    ends[0]?.();
    expect([await runsAfter(5), await runsAfter(600)]).toEqual([3, 3]);
    for (const end of ends) end();
    expect(await runsAfter(5)).toBe(4);
    ends[3]?.();
  });

  it("run a job once per interval in two processes together", async () => {
    const url = await createTestPostgres();
    const everyMs = 3_600_000;
    const { runs, job } = countRuns({ everyMs });
    const checked = new Set<string>();
    for (const process of ["first", "second"]) {
      // Workers check this once they have run the job or left it to another process.
      const hasWork = async () => {
        checked.add(process);
        return true;
      };
      await start(await open(openPostgres(url)), [{ ...job, hasWork }]);
    }
    await until("both processes", () => checked.size === 2);
    expect(runs.count).toBe(1);
  });

  it("do not run a job without work again soon after another process has run it", async () => {
    const database = await open(openPostgres(await createTestPostgres()));
    const hourMs = 3_600_000;
    const { job } = countRuns({ everyMs: hourMs });
    expect([await claimRun(database, job, hourMs), await claimRun(database, job, hourMs)]).toEqual([true, false]);
    await database.db.update(jobRuns).set({ nextAt: sql`clock_timestamp() - interval '30 minutes'` });
    expect([await claimRun(database, job, 2 * hourMs), await claimRun(database, job, hourMs)]).toEqual([false, true]);
    await database.db.update(jobRuns).set({ nextAt: sql`clock_timestamp() - interval '1 hour'` });
    expect(await claimRun(database, job, 2 * hourMs)).toBe(true);
  });

  it("T61 run again at once after the database's clock was set back", async () => {
    const database = await open(openPostgres(await createTestPostgres()));
    const { job } = countRuns({ everyMs: 1_000 });
    await claimRun(database, job, 1_000);
    await database.db.update(jobRuns).set({ nextAt: sql`clock_timestamp() + interval '20 minutes'` });
    expect([await claimRun(database, job, 1_000), await claimRun(database, job, 1_000)]).toEqual([true, false]);
  });
});
