import type { Database } from "./database";

/** The actions to run once an open transaction has committed. */
const waiting = new WeakMap<Database, (() => void)[]>();

/**
 * Runs an action, such as writing to the log, after the transaction of `tx` has committed. If it is rolled back, the
 * action does not run. Outside a transaction, the action runs at once. Do not call this with a savepoint.
 */
export function afterCommit(tx: Database, action: () => void): void {
  const actions = waiting.get(tx);
  if (actions) actions.push(action);
  else action();
}

/**
 * Runs a transaction, given as a function that begins and commits it, and then the actions that were passed to
 * `afterCommit`.
 */
export async function commit<T>(begin: (enter: (tx: Database) => void) => Promise<T>): Promise<T> {
  const actions: (() => void)[] = [];
  const result = await begin((tx) => waiting.set(tx, actions));
  for (const action of actions) action();
  return result;
}
