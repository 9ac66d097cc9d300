import type { Logger } from "pino";
import { createExchange, type Exchange } from "./exchange";
import type { ExchangeSetup } from "./setup";

/**
 * Opens the database, connects to the chains and starts the exchange, without its workers.
 * What the sandbox needs is loaded in the sandbox alone.
 */
export async function bootExchange(setup: ExchangeSetup, log: Logger): Promise<Exchange> {
  const { openPglite, openPostgres } = await import("./db/open");
  if (setup.mode === "live" && setup.databaseUrl === null) {
    throw new Error("A live exchange needs PostgreSQL: set DATABASE_URL. PGlite may lose what was committed.");
  }
  const [database, world] = await Promise.all([
    setup.databaseUrl === null
      ? openPglite(`${setup.dataDir}/database`)
      : openPostgres(setup.databaseUrl, { poolSize: setup.databasePoolSize }),
    setup.mode === "sandbox"
      ? import("./sandbox/sandbox").then(({ startSandbox }) => startSandbox(setup, log))
      : import("./live").then(({ connectLive }) => connectLive(setup, log)),
  ]);
  return createExchange({ database, world, config: setup.exchange, log });
}

export type { Exchange };
