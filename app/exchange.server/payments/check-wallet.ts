import type { AssetSymbol } from "../../lib/assets";
import type { WalletState } from "../chains/gateway";
import type { RunningContext } from "../context";
import { saveChainState } from "../db/chain-state";

/**
 * Stores what our wallet on a chain can send, what a payment costs and, if the wallet cannot pay, the reason. Locking a
 * quote and `/api/status` read this from the database instead of querying the chain.
 * @returns what was read
 */
export async function checkWallet(ctx: RunningContext, asset: AssetSymbol): Promise<WalletState> {
  const gateway = ctx.chains[asset];
  const [wallet, { chainId }] = await Promise.all([gateway.readWallet(), gateway.verify()]);
  const walletCheckedAt = await ctx.clock.now(ctx.db);
  const { ether: _, ...stored } = wallet;
  await saveChainState(ctx.db, asset, { ...stored, chainId: String(chainId), walletCheckedAt });
  return wallet;
}
