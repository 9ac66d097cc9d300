import type { Logger } from "pino";
import { minuteMs } from "../../lib/durations";
import { endOrTimeout } from "../db/end-or-timeout";
import type { DbNotifications } from "../db/notifications";
import type { OpenDatabase } from "../db/open";
import { describeError } from "../describe-error";
import { claimRun } from "./claims";
import type { Job } from "./job";

export type Workers = { start(): Promise<void>; stop(): Promise<void> };

/** A run that takes longer, including the statements around it, counts as hanging, and its job continues without it. */
const maxRunMs = 2 * minuteMs;
/**
 * If this many runs of a job hang, it waits until one of them ends, because more would use up memory and connections.
 */
const maxHanging = 2;
/** How long stopping waits for the current runs and the database. */
const maxStopMs = 10_000;
/** How often the same failure of a job is logged. During an outage, a job fails several times a second. */
const repeatMs = minuteMs;
/** How often a job without work runs if it does not set `idleMs`. */
const defaultIdleMs = 30_000;

/**
 * Runs the jobs, each in its own loop: at its interval, and at once when the database announces work for it. If
 * several processes share a database, only one of them takes each run at an interval. An announced run may happen in
 * all of them, which every job allows. `notifications` passes on everything that the database announces.
 */
export function createWorkers(
  database: OpenDatabase,
  jobs: Job[],
  log: Logger,
  notifications: DbNotifications,
): Workers {
  let loops: JobLoop[] = [];
  let stopListening = async () => {};
  return {
    async start() {
      loops = jobs.map((job) => new JobLoop(job, database, log));
      stopListening = await database.listen((topic, id) => {
        notifications.emit(topic, id);
        // Notifications sent while the connection was lost did not arrive.
        const mayConcern = ({ wakeOn }: Job) => wakeOn === topic || (wakeOn !== undefined && topic === "listening");
        for (const loop of loops) if (mayConcern(loop.job)) loop.wake();
      });
      for (const loop of loops) loop.start();
    },
    async stop() {
      const stopping = loops;
      loops = [];
      const stopped = Promise.all([...stopping.map((loop) => loop.stop()), stopListening()]);
      await endOrTimeout(stopped, maxStopMs);
    },
  };
}

class JobLoop {
  readonly job: Job;
  readonly #database: OpenDatabase;
  readonly #log: Logger;
  #stopped = false;
  /** Set by a notification. It may arrive after the current run has read what it works on. */
  #isAwake = false;
  /** Whether the job had no work when this was last checked. */
  #isIdle = false;
  /** The hanging runs, each until it ends. */
  readonly #hanging = new Set<Promise<void>>();
  /** The failure that was logged last, and when. */
  #lastFailure = { text: "", at: 0 };
  #endWait = () => {};
  #done = Promise.resolve();

  constructor(job: Job, database: OpenDatabase, log: Logger) {
    this.job = job;
    this.#database = database;
    this.#log = log;
  }

  start(): void {
    this.#done = this.#loop();
  }

  wake(): void {
    this.#isAwake = true;
    if (this.#mayStart()) this.#endWait();
  }

  get #intervalMs(): number {
    return this.#isIdle ? (this.job.idleMs ?? defaultIdleMs) : this.job.everyMs;
  }

  get #isStuck(): boolean {
    return this.#hanging.size >= maxHanging;
  }

  /** Whether a notification lets the job run before its interval is over. */
  #mayStart(): boolean {
    return this.#isAwake && !this.#isStuck && (this.#isIdle || !this.job.wakesFromIdleOnly);
  }

  /** Ends the loop after the current run. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#endWait();
    return this.#done;
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      if (this.#isStuck) {
        await this.#wait(maxRunMs);
        continue;
      }
      const startedAt = performance.now();
      const intervalMs = this.#intervalMs;
      try {
        const isAnnounced = this.#mayStart();
        this.#isAwake = false;
        this.#isIdle = false;
        this.#isIdle = await this.#withinLimit(this.#run(isAnnounced, intervalMs));
      } catch (error) {
        this.#logFailure(describeError(error));
      }
      await this.#wait(Math.max(0, this.#intervalMs - (performance.now() - startedAt)));
    }
  }

  #logFailure(error: Record<string, unknown>): void {
    const failure = { text: JSON.stringify(error), at: performance.now() };
    const last = this.#lastFailure;
    if (failure.text === last.text && failure.at - last.at < repeatMs) return;
    this.#lastFailure = failure;
    this.#log.error({ job: this.job.name, error }, "a job failed; it runs again");
  }

  /** Runs the job if it is due. @returns whether the job has no work */
  async #run(isAnnounced: boolean, intervalMs: number): Promise<boolean> {
    const { job } = this;
    if (isAnnounced || (await claimRun(this.#database, job, intervalMs))) await job.run();
    return (await job.hasWork?.()) === false;
  }

  async #withinLimit<T>(run: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const hangs = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.#follow(run);
        const next = this.#isStuck ? " The next one waits until a hanging one has ended." : "";
        reject(new Error(`The run took more than ${maxRunMs / 1_000} s.${next}`));
      }, maxRunMs);
    });
    try {
      return await Promise.race([run, hangs]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Counts a run as hanging until it ends. */
  #follow(run: Promise<unknown>): void {
    const ended: Promise<void> = Promise.allSettled([run]).then(() => {
      this.#hanging.delete(ended);
      this.#endWait();
    });
    this.#hanging.add(ended);
  }

  /** Waits, unless a notification has arrived or the loop was stopped. */
  #wait(ms: number): Promise<void> {
    if (this.#mayStart() || this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
