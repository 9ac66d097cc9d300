import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { RunningContext } from "~/exchange.server/context";
import type { Database } from "~/exchange.server/db/database";
import { withSession } from "../support/with-session";

/** The simulated process ended here. */
class CrashError extends Error {
  override name = "CrashError";
}

/** What happens during one run of a job. */
export type Disturbance = {
  /** The process dies before its n-th effect: a statement that writes, a transaction, or a call to a chain. */
  crashBefore?: number;
  /** Before the n-th call to a chain outside of a transaction, this runs to its end in the other process. */
  preempt?: { atCall: number; run: () => Promise<void> };
};

type Prepared = { execute(...args: unknown[]): unknown };
type Session = { prepareQuery(query: { sql: string }, ...rest: unknown[]): Prepared; transaction: unknown };

/**
 * The context of one run of a job in a process that may die or be interrupted. Dying before an effect equals dying
 * after the previous one; a dead process has no further effect, whatever its code catches.
 */
export function disturb(ctx: RunningContext, { crashBefore, preempt }: Disturbance): RunningContext {
  let effects = 0;
  let calls = 0;
  let dead = false;
  let depth = 0;
  const live = () => {
    dead ||= crashBefore !== undefined && effects >= crashBefore;
    if (dead) throw new CrashError();
    effects += 1;
  };
  const call = async () => {
    live();
    if (depth > 0) return;
    calls += 1;
    if (preempt && calls === preempt.atCall) await preempt.run();
  };
  const wrap = (chain: ChainGateway): ChainGateway =>
    new Proxy(chain, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function" || name === "toPaymentUri" || name === "toWalletLink") return value;
        return async (...args: unknown[]) => {
          await call();
          const answer: unknown = await value.apply(target, args);
          // The response to a call that changes something may be lost with the process.
          if (name === "broadcast" || name === "assignFundingAddress") live();
          return answer;
        };
      },
    });
  return {
    ...ctx,
    db: wrapDatabase(ctx.db, live, {
      enter: () => {
        depth += 1;
      },
      leave: () => {
        depth -= 1;
      },
    }),
    chains: { USDT: wrap(ctx.chains.USDT), MOB: wrap(ctx.chains.MOB) },
  };
}

function wrapDatabase(db: Database, live: () => void, transactions: { enter(): void; leave(): void }): Database {
  const session = db._.session as unknown as Session;
  const wrapped = new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "transaction") {
          live();
          transactions.enter();
          return (value.apply(target, args) as Promise<unknown>).finally(transactions.leave);
        }
        const result: unknown = value.apply(target, args);
        if (name !== "prepareQuery") return result;
        const [query] = args as [{ sql: string }];
        if (/^\s*(select|with)\b/i.test(query.sql)) return result;
        return new Proxy(result as Prepared, {
          get(prepared, key) {
            const inner: unknown = Reflect.get(prepared, key, prepared);
            if (key !== "execute" || typeof inner !== "function") return inner;
            return async (...values: unknown[]) => {
              live();
              return inner.apply(prepared, values) as unknown;
            };
          },
        });
      };
    },
  });
  return withSession(db, wrapped);
}
