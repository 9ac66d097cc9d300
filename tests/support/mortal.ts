import type { ChainGateway } from "../../app/exchange.server/chains/gateway";
import type { ExchangeContext } from "../../app/exchange.server/context";
import type { Database } from "../../app/exchange.server/db/database";
import type { OpenDatabase } from "../../app/exchange.server/db/open";

/** The process died here. */
class KilledError extends Error {
  override name = "KilledError";
}

type Prepared = { execute(...args: unknown[]): unknown };
type Session = { prepareQuery(query: { sql: string }, ...rest: unknown[]): Prepared; transaction: unknown };

/**
 * The same exchange in a process that dies before its `lifetime`-th effect: a transaction,
 * a writing statement outside of one, a mail, a payment, a word to the reviewer. Dying
 * before an effect is dying after the one before it, so that running through all lifetimes
 * kills at every line between two effects. A dead process has no further effect, whatever
 * its code catches.
 */
export function createMortal(x: ExchangeContext, lifetime: number): { x: ExchangeContext; isDead(): boolean } {
  const { live, isDead } = createLife(lifetime);
  const mortal =
    <A extends unknown[], R>(effect: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      live();
      return effect(...args);
    };
  const mortalChain = (chain: ChainGateway): ChainGateway => ({
    ...chain,
    assignFundingAddress: mortal((order) => chain.assignFundingAddress(order)),
    broadcast: mortal((payment) => chain.broadcast(payment)),
  });
  return {
    isDead,
    x: {
      ...x,
      db: toMortalDatabase(x.db, live),
      chains: { USDT: mortalChain(x.chains.USDT), MOB: mortalChain(x.chains.MOB) },
      mail: { send: mortal((mail) => x.mail.send(mail)) },
      kyc: { ...x.kyc, submit: mortal((reference, application) => x.kyc.submit(reference, application)) },
    },
  };
}

/** The same, where the database is all that a process has effects on: fakes that keep what they know in it. */
export function createMortalDatabase(
  database: OpenDatabase,
  lifetime: number,
): { database: OpenDatabase; isDead(): boolean } {
  const { live, isDead } = createLife(lifetime);
  return { database: { ...database, db: toMortalDatabase(database.db, live) }, isDead };
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

/** Drizzle sends all that it does through the session of its handle. */
function toMortalDatabase(db: Database, live: () => void): Database {
  const { session } = db as unknown as { session: Session };
  const mortalSession = new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (name === "transaction") live();
        const result: unknown = value.apply(target, args);
        if (name !== "prepareQuery") return result;
        const [query] = args as [{ sql: string }];
        return /^\s*(select|with)\b/i.test(query.sql) ? result : toMortalQuery(result as Prepared, live);
      };
    },
  });
  return new Proxy(db, {
    get: (target, name, self) => (name === "session" ? mortalSession : Reflect.get(target, name, self)),
  });
}

function toMortalQuery(prepared: Prepared, live: () => void): Prepared {
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
