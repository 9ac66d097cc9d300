import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "~/exchange.server/db/clock";
import type { Database } from "~/exchange.server/db/database";

/** The handle on which the running code has a transaction open. */
const openOn = new AsyncLocalStorage<Database>();

const guarded = ["select", "selectDistinct", "insert", "update", "delete", "execute", "transaction"];

/**
 * Makes a statement through `db` throw while the same code has a transaction open on it. On PGlite, which
 * has one connection, such a statement would wait forever. This reports it at once, and on PostgreSQL as well.
 */
export function requireOneHandle(db: Database): Database {
  const proxy: Database = new Proxy(db, {
    get(target, key) {
      // A prepared query takes the session from `_` instead of calling one of these.
      if (key === "_") refuse(proxy);
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || !guarded.includes(String(key))) return value;
      // Called on `this`, so that a wrapper around the guarded handle still sees its statements.
      return function (this: unknown, ...args: unknown[]) {
        refuse(proxy);
        if (key !== "transaction") return Reflect.apply(value, this, args) as unknown;
        const [work, ...rest] = args as [(tx: Database) => Promise<unknown>];
        return Reflect.apply(value, this, [(tx: Database) => openOn.run(proxy, work, tx), ...rest]) as unknown;
      };
    },
  });
  return proxy;
}

/** Like `requireOneHandle`, for a clock, even while it carries its reading forward and sends no statement. */
export function requireOneHandleForClock(clock: Clock): Clock {
  return {
    async now(db) {
      refuse(db);
      return clock.now(db);
    },
  };
}

function refuse(db: Database): void {
  if (openOn.getStore() === db) throw new Error("a transaction is open: send the statement through it");
}
