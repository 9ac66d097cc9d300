import type { AssetSymbol } from "../../../lib/assets";
import type { ExchangeContext, RunningContext } from "../../context";
import type { Database } from "../../db/database";
import { switchOff } from "../../switches/switches";
import { skipFundingIndexes } from "./funding-indexes";

/** The message for the log. */
export const stopped = "payments and new swaps are stopped, and funding indexes are skipped";

/** Stops payments and new swaps because this database cannot explain the chain's next nonce. */
export async function stopForNonce(ctx: RunningContext, asset: AssetSymbol, onChain: number | null): Promise<void> {
  const { signer } = ctx.chains[asset];
  const reason = `The ${asset} signer ${signer} has a nonce that this database does not expect. Was a backup restored, or was the payout key changed? Compare its payments, then run "operate accept-nonce ${onChain}", "operate on payments" and "operate on swaps".`;
  await stopAndSkipIndexes(ctx, { cause: `nonce:${asset}`, reason });
}

/** Stops payments and new swaps, and skips funding indexes unless they are stopped for this reason already. */
export async function stopAndSkipIndexes(
  ctx: ExchangeContext,
  { cause, reason }: { cause: string; reason: string },
): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const isNew = await ctx.db.transaction(async (tx) => {
    const isNewStop = await stopSwapsAndPayments(tx, { cause, reason, at });
    if (isNewStop) await skipFundingIndexes(tx, at);
    return isNewStop;
  });
  if (isNew) ctx.log.fatal({ reason }, stopped);
}

/**
 * Stops payments and new swaps. If it returns true, the caller also skips the funding indexes that lost orders may have
 * used. This also applies if both were already stopped for another cause: payments are often off when a backup is made.
 * @returns whether the stop is new: its cause was not active yet, or had another reason
 */
export async function stopSwapsAndPayments(
  tx: Database,
  { cause, reason, at }: { cause: string; reason: string; at: Date },
): Promise<boolean> {
  await switchOff(tx, "swaps", { cause, reason, at });
  return switchOff(tx, "payments", { cause, reason, at });
}
