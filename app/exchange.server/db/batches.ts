import { setImmediate } from "node:timers";
import type { Database } from "./database";
import { endOrTimeout } from "./end-or-timeout";
import { hasSqlState } from "./has-sql-state";

/** The most calls that share a statement, so that no call waits for a very long one. */
const maxCalls = 100;

/** How long calls wait for a batch that is running, so that a lost connection does not stop all later calls. */
const maxWaitMs = 1_000;

/** SQLSTATE classes that a single value can cause: a data exception, a violated constraint, a rollback. */
const ofOneValue = /^(22|23|40)...$/;

type Call<Input, Output> = { input: Input; resolve: (output: Output) => void; reject: (error: unknown) => void };

/**
 * Combines calls: those that arrive in the same round of the event loop, or while a batch is running, share one
 * statement. The statement starts after all of them have arrived, so each call sees at least what its own statement
 * would have seen.
 *
 * Do not use it in a transaction: a statement that fails ends the transaction, so its calls could not run alone.
 *
 * @param run runs calls together and returns a result for each, in the same order. If the database refuses a value,
 *   each call runs alone, so that none fails because of another
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
      if (calls.length > 1 && hasSqlState(error, ofOneValue))
        await Promise.all(calls.map((call) => runTogether(db, [call])));
      else for (const { reject } of calls) reject(error);
    }
  }

  async function runWaiting(db: Database, waiting: Call<Input, Output>[]): Promise<void> {
    while (waiting.length > 0) await endOrTimeout(runTogether(db, waiting.splice(0, maxCalls)), maxWaitMs);
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
