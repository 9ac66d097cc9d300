import { isNotNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { StartupError } from "../../lib/startup-error";
import type { ChainGateway } from "../chains/gateway";
import type { OpenDatabase } from "../db/open";
import { chainStates } from "../db/schema/chains";

/**
 * Each database belongs to the networks on which its first wallet check was made. The sandbox's MobileCoin is a network
 * of its own, so this also tells the modes apart.
 * @throws StartupError if the exchange now uses another network
 */
export async function requireNetworks(
  { db, kind }: OpenDatabase,
  chains: Record<AssetSymbol, ChainGateway>,
): Promise<void> {
  const { asset, chainId } = chainStates;
  for (const stored of await db.select({ asset, chainId }).from(chainStates).where(isNotNull(chainId))) {
    const used = String((await chains[stored.asset].verify()).chainId);
    if (used === stored.chainId) continue;
    const variable = kind === "postgres" ? "DATABASE_URL" : "DATA_DIR";
    const network = { USDT: "Ethereum", MOB: "MobileCoin" }[stored.asset];
    throw new StartupError(
      `The database belongs to the ${network} network ${stored.chainId}, not ${used}: set ${variable} to a new database, or to that of this network.`,
    );
  }
}
