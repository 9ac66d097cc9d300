import type { Database } from "../db/database";
import { hasSqlState } from "../db/has-sql-state";
import type { ExchangeSetup } from "../setup";
import { requireNetworksOfSettings, toDatabaseAdvice } from "./require-networks";
import { requireSecret } from "./require-secret";

const undefinedTableOrColumn = /^42(P01|703)$/;

/**
 * Requires the networks and the SESSION_SECRET with which a database was first used, as far as its tables show this:
 * these may be missing, or be from an older version.
 * @throws StartupError, with this advice if the settings name another network
 */
export async function requireSettings(
  db: Database,
  { networks, exchange }: Pick<ExchangeSetup, "networks" | "exchange">,
  advice = toDatabaseAdvice("DATABASE_URL"),
): Promise<void> {
  const ignoreMissing = (error: unknown) => {
    if (!hasSqlState(error, undefinedTableOrColumn)) throw error;
  };
  await requireNetworksOfSettings(db, networks, advice).catch(ignoreMissing);
  await requireSecret(db, exchange, { isExchange: false }).catch(ignoreMissing);
}
