import type { ChainGateway } from "~/exchange.server/chains/gateway";
import type { RunningContext } from "~/exchange.server/context";
import type { Database } from "~/exchange.server/db/database";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { withSession } from "./with-session";

/** The process died here. */
class KilledError extends Error {
  override name = "KilledError";
}

type Prepared = { execute(...args: unknown[]): unknown };
type Session = { prepareQuery(query: { sql: string }, ...rest: unknown[]): Prepared; transaction: unknown };

/**
 * The same exchange in a process that has `lifetime` effects and dies before the next one. Effects are a transaction, a
 * writing statement outside of one, an e-mail, a payment, a new funding address, and a KYC application. Dying before an
 * effect also means dying after the previous one, so running through all lifetimes covers every
 * point between two effects. A dead process has no further effects, even if its code catches the error.
 */
export function createCrashingProcess(
  ctx: RunningContext,
  lifetime: number,
): { ctx: RunningContext; isDead(): boolean } {
  const { live, isDead } = createLife(lifetime);
  const crashing =
    <A extends unknown[], R>(effect: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      live();
      return effect(...args);
    };
  const crashingChain = (chain: ChainGateway): ChainGateway => ({
    ...chain,
    assignFundingAddress: crashing((order) => chain.assignFundingAddress(order)),
    broadcast: crashing((payment) => chain.broadcast(payment)),
  });
  return {
    isDead,
    ctx: {
      ...ctx,
      db: toCrashingDatabase(ctx.db, live),
      chains: { USDT: crashingChain(ctx.chains.USDT), MOB: crashingChain(ctx.chains.MOB) },
      mail: { send: crashing((mail, signal) => ctx.mail.send(mail, signal)) },
      kyc: { ...ctx.kyc, submit: crashing((reference, application) => ctx.kyc.submit(reference, application)) },
    },
  };
}

/** Like `createCrashingProcess`, for code whose only effects are in the database. */
export function createCrashingDatabase(
  database: OpenDatabase,
  lifetime: number,
): { database: OpenDatabase; isDead(): boolean } {
  const { live, isDead } = createLife(lifetime);
  return { database: { ...database, db: toCrashingDatabase(database.db, live) }, isDead };
}

function createLife(lifetime: number): { live(): void; isDead(): boolean } {
  let effects = 0;
  let dead = false;
  return {
    live() {
      dead ||= effects >= lifetime;
      if (dead) throw new KilledError();
      effects += 1;
    },
    isDead: () => dead,
  };
}

/** Wraps a database so that it calls `live` before each effect. In a process that has died, `live` throws. */
export function toCrashingDatabase(
  db: Database,
  live: () => void,
  onTransaction?: { begin(): void; end(): void },
): Database {
  const session = db._.session as unknown as Session;
  const crashingSession = new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "transaction") {
          live();
          onTransaction?.begin();
          return (value.apply(target, args) as Promise<unknown>).finally(onTransaction?.end);
        }
        const result: unknown = value.apply(target, args);
        if (name !== "prepareQuery") return result;
        const [query] = args as [{ sql: string }];
        return /^\s*(select|with)\b/i.test(query.sql) ? result : toCrashingQuery(result as Prepared, live);
      };
    },
  });
  return withSession(db, crashingSession);
}

function toCrashingQuery(prepared: Prepared, live: () => void): Prepared {
  return new Proxy(prepared, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== "execute" || typeof value !== "function") return value;
      return async (...args: unknown[]) => {
        live();
        return value.apply(target, args) as unknown;
      };
    },
  });
}
