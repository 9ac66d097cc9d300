import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { RunningContext } from "../context";
import { type ChainState, lockChainState } from "../db/chain-state";
import { type Database, lockFor } from "../db/database";
import { applyTransfers } from "./apply-transfers";
import { becameFinal } from "./became-final";

/** How many transfers are applied in one transaction, so that none holds the locks of many orders for long. */
const maxTransfersPerTransaction = 50;

/** Transfers as they were read from the chain. `finalWhenRead`: the final height that was known by then. */
type Read = { asset: AssetSymbol; transfers: ChainTransfer[]; finalWhenRead: number | null };

type Steps = {
  /**
   * Begins each transaction. Returns the time to store for transfers whose chain has no block times (by default, the
   * current time), or null to stop.
   */
  begin?(tx: Database, state: ChainState | undefined): Promise<Date | null>;
  /** Ends the last transaction, at the time that `begin` returned. There is always one, even without transfers. */
  end?(tx: Database, at: Date): Promise<unknown>;
};

/**
 * Applies transfers that were read from a chain, in as many transactions as they need, each under the chain's scan
 * lock. If the process dies in between, or this stops, the caller reads them again, which does not change what is
 * stored.
 *
 * Stops if a block has become final since it was read, because the process was paused. Deposits in final blocks are not
 * looked up again, so a reorg in between would go unnoticed.
 * @returns whether everything was applied
 */
export async function applyRead(
  ctx: RunningContext,
  { asset, transfers, finalWhenRead }: Read,
  { begin = (tx) => ctx.clock.now(tx), end = async () => undefined }: Steps = {},
): Promise<boolean> {
  let rest = transfers;
  do {
    const batch = rest.slice(0, maxTransfersPerTransaction);
    rest = rest.slice(maxTransfersPerTransaction);
    const isLast = rest.length === 0;
    const isApplied = await ctx.db.transaction(async (tx) => {
      await lockFor(tx, `scan:${asset}`);
      // Quiet scans are stored without the lock on scans.
      const state = await lockChainState(tx, asset);
      const finalNow = state?.finalizedHeight ?? null;
      if (batch.some((transfer) => becameFinal(transfer, finalWhenRead, finalNow))) return false;
      const seenAt = await begin(tx, state);
      if (seenAt === null) return false;
      await applyTransfers(tx, ctx, { asset, transfers: batch, seenAt });
      if (isLast) await end(tx, seenAt);
      return true;
    });
    if (!isApplied) return false;
  } while (rest.length > 0);
  return true;
}
