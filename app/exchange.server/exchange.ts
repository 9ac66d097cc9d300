import { DrizzleQueryError } from "drizzle-orm/errors";
import type { Logger } from "pino";
import { type AssetSymbol, assetSymbols } from "../lib/assets";
import { findReason, StartupError } from "../lib/startup-error";
import type { ChainGateway } from "./chains/gateway";
import type { ExchangeConfig, ExchangeContext, KycProvider, MailSender, RateSource, RunningContext } from "./context";
import { type Clock, createClock } from "./db/clock";
import type { Database } from "./db/database";
import { DbNotifications, notifyProcesses } from "./db/notifications";
import type { OpenDatabase } from "./db/open";
import { scanChain } from "./deposits/scan";
import { describeError, toFirstLine } from "./describe-error";
import { createApi } from "./http/app";
import type { ClientInfo } from "./http/env";
import { createJobs } from "./jobs/jobs";
import { createWorkers, type Workers } from "./jobs/workers";
import { recordOpeningBalance } from "./ledger/open-books";
import { SharedLimits } from "./limits/shared-limits";
import { stopOutbox } from "./mail/outbox";
import { checkWallet } from "./payments/check-wallet";
import { checkHistory } from "./payments/history/check-history";
import { skipFundingIndexesOfRestored } from "./payments/history/funding-indexes";
import { refreshRate } from "./pricing/rates";
import { stopPushes } from "./push/send-pushes";
import { checkFundingKey } from "./startup-checks/check-funding-key";
import { storeLimits } from "./startup-checks/require-limits";
import { requireNetworks } from "./startup-checks/require-networks";
import { requireSecret } from "./startup-checks/require-secret";

export type { ClientInfo };

export type Exchange = {
  /** Handles a request to /api/*. */
  fetch(request: Request, client?: ClientInfo): Promise<Response>;
  workers: Workers;
  /** Handles requests to /sandbox/*; null in live mode. */
  sandbox: { fetch(request: Request, client?: ClientInfo): Promise<Response> } | null;
  close(): Promise<void>;
};

/** Everything outside the exchange: chains, mail, identity review and price feeds, either the sandbox's or live. */
export type ExternalSystems = {
  chains: Record<AssetSymbol, ChainGateway>;
  forbiddenDeliveryAddresses: string[];
  /** Called when the database is open: the sandbox stores its state there. */
  connect(
    db: Database,
    clock: Clock,
  ): Promise<{ mail: MailSender; kyc: KycProvider; rateSource: RateSource; sandbox: Exchange["sandbox"] }>;
  stop(): Promise<void>;
};

/**
 * Creates the exchange. `fetch` works immediately, but responds 503 `starting` until `workers.start()` has tried to
 * read the first rate and to scan both chains. A `web` process leaves that to a `worker`.
 * @throws StartupError if the database belongs to other networks or another SESSION_SECRET
 */
export async function createExchange(parts: {
  database: OpenDatabase;
  external: ExternalSystems;
  config: ExchangeConfig;
  log: Logger;
  clock?: Clock;
  /** The limits that the site and the exchange share in this process. By default the exchange creates its own. */
  limits?: SharedLimits;
}): Promise<Exchange> {
  const { database, external, config, log } = parts;
  const clock = parts.clock ?? createClock();
  await requireNetworks(database, external.chains);
  await requireSecret(database.db, config, { isExchange: true });
  const { sandbox, ...connections } = await external.connect(database.db, clock);
  const ctx: RunningContext = {
    db: database.db,
    clock,
    log,
    config,
    chains: external.chains,
    forbiddenDeliveryAddresses: external.forbiddenDeliveryAddresses,
    ...connections,
  };
  let ready = false;
  const notifications = new DbNotifications();
  const limits = parts.limits ?? new SharedLimits(config.secret);
  const api = createApi(ctx, { isReady: () => ready, notifications, limits });
  const runsJobs = config.role !== "web";
  const workers = createWorkers(database, runsJobs ? createJobs(ctx) : [], log, notifications);
  return {
    fetch: async (request, client) => api.fetch(request, client ?? {}),
    sandbox,
    workers: {
      async start() {
        await checkFundingKey(ctx);
        await (runsJobs ? readSystemsOnce(ctx) : skipFundingIndexesOfRestored(ctx));
        // Stored only now, because a failed start must not replace the limits of the running site.
        if (runsJobs) await storeLimits(ctx.db, ctx);
        ready = true;
        if (database.kind === "postgres" && config.role !== "worker") shareLimits(ctx, limits, notifications);
        await workers.start();
      },
      async stop() {
        limits.disconnect();
        await workers.stop();
      },
    },
    async close() {
      await Promise.all([stopOutbox(ctx), stopPushes(ctx)]);
      await database.close();
      await external.stop();
    },
  };
}

/** Shares the counts of the limits with the other processes. */
function shareLimits({ db, log }: ExchangeContext, limits: SharedLimits, notifications: DbNotifications): void {
  limits.connect((text) => {
    notifyProcesses(db, "limits", text).catch((error: unknown) =>
      log.warn({ error: describeError(error) }, "could not share the limits with the other processes"),
    );
  });
  notifications.on("listening", () => limits.join());
  notifications.on("limits", (text) => void limits.receive(text));
}

/** Reads balances, the rate and both chains once, so that the first swap can start right after. */
export async function readSystemsOnce(ctx: RunningContext): Promise<void> {
  await skipFundingIndexesOfRestored(ctx);
  await Promise.all([
    refreshRate(ctx).catch((error: unknown) =>
      ctx.log.error({ error: describeError(error) }, "the first rate could not be read"),
    ),
    ...assetSymbols.map((asset) => prepareChain(ctx, asset)),
  ]);
}

async function prepareChain(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  try {
    await recordOpeningBalance(ctx, asset);
    await checkHistory(ctx, asset, { isThorough: true });
    await checkWallet(ctx, asset);
    await scanChain(ctx, asset);
  } catch (cause) {
    const variable = cause instanceof DrizzleQueryError ? "DATABASE_URL" : chainVariable[asset];
    const reason = toFirstLine(findReason(cause));
    throw new StartupError(`The first scan for ${asset} failed (${reason}): check ${variable}.`, { cause });
  }
}

const chainVariable = { USDT: "ETH_RPC_URLS", MOB: "MOBILECOIN_URL" } as const;
