import { isNotNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { StartupError } from "../../lib/startup-error";
import type { ChainGateway } from "../chains/gateway";
import type { Database } from "../db/database";
import type { OpenDatabase } from "../db/open";
import { chainStates } from "../db/schema/chains";

/**
 * Each database belongs to the networks on which its first wallet check was made. The sandbox's MobileCoin counts as a
 * separate network, so this also tells the modes apart.
 * @throws StartupError if the exchange now uses another network
 */
export async function requireNetworks(
  { db, kind }: OpenDatabase,
  chains: Record<AssetSymbol, ChainGateway>,
): Promise<void> {
  const advice = toDatabaseAdvice(kind === "postgres" ? "DATABASE_URL" : "DATA_DIR");
  await requireSame(db, async (asset) => String((await chains[asset].verify()).chainId), advice);
}

/** What to do about a database of another network. */
export const toDatabaseAdvice = (variable: "DATABASE_URL" | "DATA_DIR"): string =>
  `set ${variable} to a new database, or to this network's database.`;

/**
 * The same check for settings, without a chain: with the settings of another network, an operator's command would plan
 * payments with the wrong costs and confirmations.
 * @throws StartupError with this advice, if the settings name another network
 */
export async function requireNetworksOfSettings(
  db: Database,
  networks: Record<AssetSymbol, string>,
  advice: string,
): Promise<void> {
  await requireSame(db, (asset) => networks[asset], advice);
}

async function requireSame(
  db: Database,
  readNetwork: (asset: AssetSymbol) => string | Promise<string>,
  advice: string,
): Promise<void> {
  const { asset, chainId } = chainStates;
  for (const stored of await db.select({ asset, chainId }).from(chainStates).where(isNotNull(chainId))) {
    const used = await readNetwork(stored.asset);
    if (used === stored.chainId) continue;
    const network = { USDT: "Ethereum", MOB: "MobileCoin" }[stored.asset];
    throw new StartupError(`The database belongs to the ${network} network ${stored.chainId}, not ${used}: ${advice}`);
  }
}
