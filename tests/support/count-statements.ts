import { setImmediate } from "node:timers/promises";
import type { RunningContext } from "~/exchange.server/context";
import type { Database } from "~/exchange.server/db/database";
import { withSession } from "./with-session";

type Session = { prepareQuery(...args: unknown[]): unknown; transaction(...args: unknown[]): Promise<unknown> };
type PreparedQuery = { execute(...args: unknown[]): Promise<unknown> };

/** What has been counted so far. */
type Counted = {
  ctx: RunningContext;
  readonly statements: number;
  readonly transactions: number;
  /** How many parameters the statement with the most parameters has. */
  readonly mostParameters: number;
  /** Resolves when no query is in progress, and no result has led to another query. Does not wait for `db.execute`. */
  settle(): Promise<void>;
};

/**
 * The same exchange in a process whose SQL statements and transactions are counted, including statements
 * within transactions. `between` runs before each transaction with the number of those before it.
 */
export function countStatements(
  ctx: RunningContext,
  between: (transactions: number) => Promise<void> = async () => undefined,
): Counted {
  const counts = { statements: 0, transactions: 0, mostParameters: 0 };
  let open = 0;
  const follow = (query: PreparedQuery): PreparedQuery => {
    const execute = query.execute.bind(query);
    query.execute = async (...args) => {
      open += 1;
      try {
        return await execute(...args);
      } finally {
        open -= 1;
      }
    };
    return query;
  };
  const count = <D extends Database>(db: D, isTransaction: boolean): D => {
    const session = db._.session as unknown as Session;
    const counting = new Proxy(session, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "prepareQuery") {
            const [{ params }] = args as [{ params: unknown[] }];
            counts.statements += 1;
            counts.mostParameters = Math.max(counts.mostParameters, params.length);
            return follow(value.apply(target, args) as PreparedQuery);
          }
          if (name !== "transaction" || isTransaction) return value.apply(target, args) as unknown;
          const [work, ...rest] = args as [(tx: Database) => Promise<unknown>, ...unknown[]];
          return between(counts.transactions).then(() => {
            counts.transactions += 1;
            return target.transaction((tx: Database) => work(count(tx, true)), ...rest);
          });
        };
      },
    });
    return withSession(db, counting);
  };
  return {
    ctx: { ...ctx, db: count(ctx.db, false) },
    get statements() {
      return counts.statements;
    },
    get transactions() {
      return counts.transactions;
    },
    get mostParameters() {
      return counts.mostParameters;
    },
    async settle() {
      do await setImmediate();
      while (open > 0);
    },
  };
}
