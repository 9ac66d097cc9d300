import type { Logger } from "pino";
import { StartupError } from "../lib/startup-error";
import { createExchange, type Exchange, type ExternalSystems } from "./exchange";
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
  const { openPglite, openPostgres } = await import("./db/open");
  if (setup.mode === "live" && setup.databaseUrl === null) {
    throw new StartupError(
      "A live exchange needs PostgreSQL, because PGlite may lose committed data: set DATABASE_URL.",
    );
  }
  const openDatabase = () =>
    setup.databaseUrl === null
      ? openPglite(`${setup.dataDir}/database`)
      : openPostgres(setup.databaseUrl, { poolSize: setup.databasePoolSize });
  const [database, external] = await Promise.allSettled([openDatabase(), connectExternal(setup, log)]);
  try {
    return await createExchange({
      database: unwrap(database),
      external: unwrap(external),
      config: setup.exchange,
      log,
      limits,
    });
  } catch (error) {
    // Stop what did open: no chain of the sandbox may outlive a failed start.
    if (database.status === "fulfilled") await database.value.close();
    if (external.status === "fulfilled") await external.value.stop();
    throw error;
  }
}

/** @throws the reason of a rejection */
function unwrap<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === "rejected") throw settled.reason;
  return settled.value;
}

export type { Exchange };
