import type { Logger } from "pino";
import type { AssetSymbol } from "../lib/assets";
import type { ChainGateway } from "./chains/gateway";
import type { ExchangeConfig, ExchangeContext, KycProvider, MailSender, RateSource } from "./context";
import { type Clock, createClock } from "./db/clock";
import type { Database } from "./db/database";
import type { OpenDatabase } from "./db/open";
import { createApi } from "./http/app";
import { describeError } from "./http/error-answers";
import { createJobs, type Job } from "./jobs/jobs";
import { createWorkers, type Workers } from "./jobs/workers";
import { applyKycDecisions, type OnKycChange } from "./kyc/decide";
import { openBooks } from "./ledger/open-books";
import { settleOutbox } from "./mail/outbox";
import { holdOrdersOf, releaseOrdersOf } from "./orders/hold";
import { checkWallet, scanChain } from "./orders/scan";
import { refreshRate } from "./rates/rates";

export type Exchange = {
  /** Answers a call of /api/*. `remoteAddress` is whom the limits per address count. */
  fetch(request: Request, env?: { remoteAddress?: string }): Promise<Response>;
  workers: Workers;
  /** What the workers run, for tests that drive it step by step. */
  jobs: Job[];
  /** Answers /sandbox/* calls; null in live mode. */
  sandbox: { fetch(request: Request): Promise<Response> } | null;
  close(): Promise<void>;
};

/** Everything outside of the exchange, sandbox or live. */
export type World = {
  chains: Record<AssetSymbol, ChainGateway>;
  forbiddenDeliveryAddresses: string[];
  /** Made when the database is open: in the sandbox they keep what they know in it. */
  connect(
    db: Database,
    clock: Clock,
  ): Promise<{ mail: MailSender; kyc: KycProvider; rateSource: RateSource; sandbox: Exchange["sandbox"] }>;
  stop(): Promise<void>;
};

/** Why the orders of an account are held that lost its approval; the owner reads it. */
const identityWithdrawn = "Your identity verification was withdrawn.";

/**
 * The exchange over an open database and a world. `fetch` answers at once, 503 `starting`
 * until the first rate and the first look at both chains are there.
 */
export async function createExchange(parts: {
  database: OpenDatabase;
  world: World;
  config: ExchangeConfig;
  log: Logger;
  clock?: Clock;
}): Promise<Exchange> {
  const { database, world, config, log } = parts;
  const clock = parts.clock ?? createClock();
  const { sandbox, ...connections } = await world.connect(database.db, clock);
  const x: ExchangeContext = {
    db: database.db,
    clock,
    log,
    config,
    chains: world.chains,
    forbiddenDeliveryAddresses: world.forbiddenDeliveryAddresses,
    ...connections,
  };
  let ready = false;
  const onKycChange: OnKycChange = (tx, accountId, approved) =>
    (approved ? releaseOrdersOf : holdOrdersOf)(tx, x, accountId, identityWithdrawn);
  const api = createApi(x, { isReady: () => ready, onKycChange });
  const jobs = createJobs(x, () => applyKycDecisions(x, onKycChange));
  const workers = createWorkers(database, jobs, log);
  return {
    fetch: async (request, env) => api.fetch(request, env ?? {}),
    jobs,
    sandbox,
    workers: {
      async start() {
        await prepare(x);
        ready = true;
        await workers.start();
      },
      stop: () => workers.stop(),
    },
    async close() {
      await settleOutbox(x);
      await database.close();
      await world.stop();
    },
  };
}

/** The first look at everything, so that the first swap can be taken when it is over. */
async function prepare(x: ExchangeContext): Promise<void> {
  await Promise.all([
    openBooks(x),
    refreshRate(x).catch((error: unknown) => x.log.error({ error: describeError(error) }, "no rate yet")),
  ]);
  await Promise.all(
    (["USDT", "MOB"] as const).map(async (asset) => {
      await checkWallet(x, asset);
      await scanChain(x, asset);
    }),
  );
}
