import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from "vitest/node";

/** Stryker gives each of its processes one Vitest, which runs one test file at a time. */
let kept: { thread: ThreadsPoolWorker; runs: number } | null = null;

/** After this many test files the thread is replaced, to drop everything that mutated code has left open in it. */
const maxRuns = 40;

/**
 * A thread for a test file, which the next test file gets too. Vitest would start a thread for each file of
 * each change, and load all packages in it, which takes longer than the tests. The app's own modules and
 * the tests are loaded again for each file (`isolate`).
 *
 * A thread is kept only if its file ran to its end, in Node's own environment.
 */
export function createKeptThread(options: PoolOptions): PoolWorker {
  const listeners: [event: string, callback: (value: unknown) => void][] = [];
  let isReusable = options.environment.name === "node";
  const reused = isReusable ? kept : null;
  if (reused) kept = null;
  const current = reused ?? { thread: new ThreadsPoolWorker(options), runs: 0 };
  const { thread } = current;
  let isBusy = false;
  const emit = (event: string, value: unknown) => {
    for (const [name, callback] of [...listeners]) if (name === event) callback(value);
  };
  return {
    name: thread.name,
    async start() {
      if (!reused) await thread.start();
    },
    on(event, callback) {
      listeners.push([event, callback]);
      thread.on(event, callback);
    },
    off(event, callback) {
      thread.off(event, callback);
    },
    send(message: WorkerRequest) {
      if (message.type === "run") isBusy = true;
      if (message.type !== "stop") thread.send(message);
      else emit("message", { type: "stopped", __vitest_worker_response__: true });
    },
    deserialize(data) {
      const isFinished = (data as { type?: unknown } | null)?.type === "testfileFinished";
      if (isFinished) isBusy = false;
      if ((data as { error?: unknown } | null)?.error) isReusable = false;
      return thread.deserialize(data);
    },
    async stop() {
      for (const [event, callback] of listeners) thread.off(event, callback);
      current.runs += 1;
      if (isBusy || !isReusable || current.runs >= maxRuns || kept) return thread.stop();
      kept = current;
    },
  };
}

/** Ends the thread that was kept last. */
export async function stopKeptThread(): Promise<void> {
  await kept?.thread.stop();
  kept = null;
}
