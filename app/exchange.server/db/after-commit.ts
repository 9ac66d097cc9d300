import type { Database } from "./database";

/** The actions to run once an open transaction has committed. */
const waiting = new WeakMap<Database, (() => void)[]>();

/**
 * Runs an action, such as writing to the log, once the transaction of `tx` has committed, and never if it is rolled
 * back. Outside a transaction, runs it at once. Do not call it with a savepoint.
 */
export function afterCommit(tx: Database, action: () => void): void {
  const actions = waiting.get(tx);
  if (actions) actions.push(action);
  else action();
}

/** Runs a transaction, given as a function that begins and commits it, and then what `afterCommit` was given. */
export async function commit<T>(begin: (enter: (tx: Database) => void) => Promise<T>): Promise<T> {
  const actions: (() => void)[] = [];
  const result = await begin((tx) => waiting.set(tx, actions));
  for (const action of actions) action();
  return result;
}
