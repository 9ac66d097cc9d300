import { gt, isNull, lte, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { WalletState } from "../chains/gateway";
import type { RunningContext } from "../context";
import { chainStates } from "../db/schema/chains";
import { hasUnsentCancellation } from "./unsent";

/**
 * Stores what our wallet on a chain can send, what a payment costs and, if payments cannot be made, the reason. Locking
 * a quote and `/api/status` read this from the database instead of querying the chain. The values count as read when
 * this function started, and do not replace values that were read later.
 * @returns what was read
 */
export async function checkWallet(ctx: RunningContext, asset: AssetSymbol): Promise<WalletState> {
  const gateway = ctx.chains[asset];
  const walletCheckedAt = await ctx.clock.now(ctx.db);
  const [wallet, { chainId }] = await Promise.all([gateway.readWallet(), gateway.verify()]);
  const paymentBlockReason = wallet.paymentBlockReason ?? (await findUnsentBlock(ctx, asset, walletCheckedAt));
  const { ether: _, ...read } = wallet;
  const columns = { ...read, paymentBlockReason, chainId: String(chainId), walletCheckedAt };
  const stored = chainStates.walletCheckedAt;
  // A stored time in the future is from before the database's clock was corrected (T61).
  const isEarlier = or(isNull(stored), lte(stored, walletCheckedAt), gt(stored, await ctx.clock.now(ctx.db)));
  await ctx.db
    .insert(chainStates)
    .values({ asset, ...columns })
    .onConflictDoUpdate({ target: chainStates.asset, set: columns, setWhere: isEarlier });
  return wallet;
}

async function findUnsentBlock(ctx: RunningContext, asset: AssetSymbol, now: Date): Promise<string | null> {
  return (await hasUnsentCancellation(ctx.db, asset, now))
    ? "The network accepts neither a payment nor its cancellation, and all others wait."
    : null;
}
