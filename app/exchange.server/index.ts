import type { Logger } from "pino";
import { mainnetChainId } from "../lib/constants";
import { StartupError } from "../lib/startup-error";
import type { OpenDatabase } from "./db/open";
import { startPglite } from "./db/pglite";
import type { ClientInfo, Exchange, ExternalSystems } from "./exchange";
import type { SharedLimits } from "./limits/shared-limits";
import type { ExchangeSetup } from "./setup";

/** Connects to the external systems, either live or in the sandbox. */
export type ConnectExternal = (setup: ExchangeSetup, log: Logger) => Promise<ExternalSystems>;

/** Opens the database, connects to the external systems and creates the exchange. The caller starts its workers. */
export async function bootExchange(
  setup: ExchangeSetup,
  log: Logger,
  connectExternal: ConnectExternal,
  limits?: SharedLimits,
): Promise<Exchange> {
  if (setup.live !== null && setup.databaseUrl === null) {
    throw new StartupError(
      "A live exchange needs PostgreSQL, because PGlite may lose committed data: set DATABASE_URL.",
    );
  }
  const connecting = connectExternal(setup, log);
  // If a live start fails, it must not have migrated the database, because the older version could then no longer use
  // it.
  const opening = setup.live === null ? openDatabase(setup) : connecting.then(() => openDatabase(setup));
  const [exchange, database, external] = await Promise.allSettled([import("./exchange"), opening, connecting]);
  try {
    return await unwrap(exchange).createExchange({
      database: unwrap(database),
      external: unwrap(external),
      config: setup.exchange,
      log,
      limits,
    });
  } catch (error) {
    // Stop everything that was started: the sandbox's chains must not outlive a failed start.
    await Promise.allSettled([
      database.status === "fulfilled" && database.value.close(),
      external.status === "fulfilled" && external.value.stop(),
    ]);
    throw error;
  }
}

/** Starts the thread of an embedded database at once, so that PGlite opens while this thread loads the exchange. */
async function openDatabase(setup: ExchangeSetup): Promise<OpenDatabase> {
  const { databaseUrl, databasePoolSize, dataDir, networks } = setup;
  const loading = import("./db/open");
  if (databaseUrl !== null) {
    // A rehearsal on a test network may use a server that is faster because it does not keep every commit.
    const mustKeepCommits = networks.USDT === String(mainnetChainId);
    const { requireSettings } = await import("./startup-checks/require-settings");
    return (await loading).openPostgres(databaseUrl, {
      poolSize: databasePoolSize,
      mustKeepCommits,
      check: (db) => requireSettings(db, setup),
    });
  }
  const pglite = startPglite(`${dataDir}/database`);
  // `openPglite` reports a failure. Until it is called, an unhandled rejection would end the process.
  pglite.catch(() => undefined);
  return (await loading).openPglite(pglite);
}

/** @throws the reason of a rejection */
function unwrap<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}

export type { ClientInfo, Exchange };
