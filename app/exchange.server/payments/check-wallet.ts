import type { AssetSymbol } from "../../lib/assets";
import type { WalletState } from "../chains/gateway";
import type { RunningContext } from "../context";
import { saveChainState } from "../db/chain-state";
import { hasUnsentCancellation } from "./unsent";

/**
 * Stores what our wallet on a chain can send, what a payment costs and, if payments cannot be made, the reason. Locking a
 * quote and `/api/status` read this from the database instead of querying the chain.
 * @returns what was read
 */
export async function checkWallet(ctx: RunningContext, asset: AssetSymbol): Promise<WalletState> {
  const gateway = ctx.chains[asset];
  const [wallet, { chainId }] = await Promise.all([gateway.readWallet(), gateway.verify()]);
  const walletCheckedAt = await ctx.clock.now(ctx.db);
  const { ether: _, ...stored } = wallet;
  const paymentBlockReason = wallet.paymentBlockReason ?? (await findUnsentBlock(ctx, asset, walletCheckedAt));
  await saveChainState(ctx.db, asset, { ...stored, paymentBlockReason, chainId: String(chainId), walletCheckedAt });
  return wallet;
}

async function findUnsentBlock(ctx: RunningContext, asset: AssetSymbol, now: Date): Promise<string | null> {
  return (await hasUnsentCancellation(ctx.db, asset, now))
    ? "The network accepts neither a payment nor its cancellation, and all others wait."
    : null;
}
