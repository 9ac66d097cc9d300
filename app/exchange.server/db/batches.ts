import { setImmediate } from "node:timers";
import type { Database } from "./database";

/** How many calls share a statement at most, so that none waits for a long one. */
const maxCalls = 100;

type Call<Input, Output> = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void };

/**
 * Combines calls: those that arrive in the same round of the event loop, or while earlier ones run, share one statement.
 * It starts after all of its calls have arrived, so it sees what a statement of each call would have seen.
 *
 * @param run runs calls together and returns a result for each, in the same order. If it fails, each call runs alone, so
 *   that none fails because of another
 *
 * @example
 * const findOrder = inBatches(async (db, ids: string[]) => {
 *   const rows = await db.select().from(orders).where(inArray(orders.id, ids));
 *   return ids.map((id) => rows.find((row) => row.id === id));
 * });
 * const order = await findOrder(ctx.db, "…");
 */
export function inBatches<Input, Output>(
  run: (db: Database, inputs: Input[]) => Promise<Output[]>,
): (db: Database, input: Input) => Promise<Output> {
  const waitingOf = new WeakMap<Database, Call<Input, Output>[]>();

  async function runTogether(db: Database, calls: Call<Input, Output>[]): Promise<void> {
    const inputs = calls.map(({ input }) => input);
    try {
      const outputs = await run(db, inputs);
      for (const [index, call] of calls.entries()) call.resolve(outputs[index] as Output);
    } catch (error) {
      if (calls.length === 1) calls[0]?.reject(error);
      else await Promise.all(calls.map((call) => runTogether(db, [call])));
    }
  }

  async function runWaiting(db: Database, waiting: Call<Input, Output>[]): Promise<void> {
    while (waiting.length > 0) await runTogether(db, waiting.splice(0, maxCalls));
    waitingOf.delete(db);
  }

  return (db, input) =>
    new Promise((resolve, reject) => {
      const call = { input, resolve, reject };
      const waiting = waitingOf.get(db);
      if (waiting) {
        waiting.push(call);
        return;
      }
      const first = [call];
      waitingOf.set(db, first);
      setImmediate(() => void runWaiting(db, first));
    });
}
