import { setTimeout as sleep } from "node:timers/promises";
import { commit } from "./after-commit";
import type { Database } from "./database";
import { hasSqlState } from "./has-sql-state";

/** SQLSTATE serialization_failure and deadlock_detected: the transaction was rolled back and may succeed now. */
const retryable = /^(40001|40P01)$/;
const maxAttempts = 5;

/**
 * Repeats top-level transactions of `db` that the database rolled back because of another one. Nothing else repeats
 * transactions. A transaction must not have an effect outside the database that a second run would repeat. Transactions
 * take their locks in one order (docs/order-lifecycle.md), so this is rare.
 */
export function withRetries<D extends Database>(db: D): D {
  const run = db.transaction;
  // Calls the original with its own `this`, so that a wrapper around `db` still sees its transactions.
  const transaction: Database["transaction"] = async function (this: Database, work, config) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await commit((enter) =>
          run.call(
            this,
            async (tx) => {
              enter(tx);
              return work(tx);
            },
            config,
          ),
        );
      } catch (error) {
        if (attempt >= maxAttempts || !hasSqlState(error, retryable)) throw error;
        await sleep(Math.random() * 20 * 2 ** attempt);
      }
    }
  } as Database["transaction"];
  db.transaction = transaction as D["transaction"];
  return db;
}
