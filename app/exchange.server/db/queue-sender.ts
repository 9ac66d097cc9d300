import { endOrTimeout } from "./end-or-timeout";

type Run<Outcome> = {
  /** How many rows it may still claim. */
  left: number;
  /** Whether the last claim found nothing, and no row has been sent since. */
  isEmpty: boolean;
  lastClaim: Promise<unknown>;
  outcomes: Outcome[];
};

type Queue<Claimed, Outcome> = {
  /** How many rows a process sends at a time, and how many in one run. */
  parallelSends: number;
  sendsPerRun: number;
  /** The time limit for sending a row. Far less than a claim lasts, so that no other process sends it too. */
  sendMs: number;
  /** Claims the next row, which may depend on the rows before it: a run claims rows one after another. */
  claim(): Promise<Claimed | undefined>;
  /** @param giveUp aborted at the time limit, or when the process stops */
  send(claimed: Claimed, giveUp: AbortSignal): Promise<Outcome>;
};

/**
 * How long a shutdown waits for rows that are being sent, and for the database, which stores the results and may not
 * respond.
 */
const sendingMs = 4_000;
const stopMs = 5_000;

/**
 * Sends the rows of a queue (queue.ts), a few at a time, so that one that is slow does not delay the others. Each is
 * claimed only when it can be sent immediately, so that the claim does not expire first.
 */
export class QueueSender<Claimed, Outcome> {
  readonly #queue: Queue<Claimed, Outcome>;
  #free: number;
  #isStopped = false;
  /** Whether a shutdown no longer waits for rows that are being sent. */
  #isLate = false;
  readonly #sending = new Set<AbortController>();
  /** What `stop` waits for. */
  readonly #running = new Set<Promise<unknown>>();

  constructor(queue: Queue<Claimed, Outcome>) {
    this.#queue = queue;
    this.#free = queue.parallelSends;
  }

  /** Sends the rows that can be claimed. Concurrent runs share the limit on parallel sends. */
  async run(): Promise<Outcome[]> {
    const run = { left: this.#queue.sendsPerRun, isEmpty: false, lastClaim: Promise.resolve(), outcomes: [] };
    const ends = await Promise.allSettled(Array.from({ length: this.#free }, () => this.#sendUntilNone(run)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    return run.outcomes;
  }

  /** @param running what `stop` should wait for */
  async track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Stops claiming rows, and gives up on those that take longer than a few seconds to send. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    setTimeout(() => this.#giveUp(), sendingMs).unref();
    await endOrTimeout(Promise.allSettled(this.#running), stopMs);
  }

  /** Sends one row after another. Each run calls this as often as rows may still be sent in parallel. */
  async #sendUntilNone(run: Run<Outcome>): Promise<void> {
    this.#free -= 1;
    try {
      for (let next = await this.#takeNext(run); next; next = await this.#takeNext(run)) {
        run.outcomes.push(await this.#send(next));
        run.isEmpty = false;
      }
    } finally {
      this.#free += 1;
    }
  }

  /**
   * Does not use AbortSignal.any with AbortSignal.timeout: once the garbage collector has run, several versions of
   * Node.js never abort such a signal.
   */
  async #send(claimed: Claimed): Promise<Outcome> {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), this.#queue.sendMs);
    this.#sending.add(giveUp);
    if (this.#isLate) giveUp.abort();
    try {
      return await this.#queue.send(claimed, giveUp.signal);
    } finally {
      clearTimeout(timer);
      this.#sending.delete(giveUp);
    }
  }

  #giveUp(): void {
    this.#isLate = true;
    for (const giveUp of this.#sending) giveUp.abort();
  }

  #takeNext(run: Run<Outcome>): Promise<Claimed | undefined> {
    const claim = run.lastClaim.then(() => this.#claimNext(run));
    run.lastClaim = claim;
    return claim;
  }

  async #claimNext(run: Run<Outcome>): Promise<Claimed | undefined> {
    if (run.left === 0 || run.isEmpty || this.#isStopped) return undefined;
    const claimed = await this.#queue.claim();
    if (claimed === undefined) run.isEmpty = true;
    else run.left -= 1;
    return claimed;
  }
}
