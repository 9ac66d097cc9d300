import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import { lockChainState } from "../db/chain-state";
import type { Database } from "../db/database";
import { becameFinal } from "./rechecks/recheck-deposits";

/**
 * Leaves out the transfers whose blocks have become final since they were read, which happens if the process was
 * paused. Deposits in final blocks are not looked up again, so a reorg in between would go unnoticed. The caller holds
 * the lock on scans, and reads these transfers again.
 * @param finalBefore the final height that was known before they were read
 */
export async function omitFinalSince(
  tx: Database,
  { asset, transfers, finalBefore }: { asset: AssetSymbol; transfers: ChainTransfer[]; finalBefore: number | null },
): Promise<ChainTransfer[]> {
  // Quiet scans are stored without the lock on scans.
  const finalNow = (await lockChainState(tx, asset))?.finalizedHeight ?? null;
  return transfers.filter((transfer) => !becameFinal(transfer, finalBefore, finalNow));
}
