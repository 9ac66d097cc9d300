import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import { getFinalizedHeight } from "../db/chain-state";
import type { Database } from "../db/database";
import { becameFinal } from "./rechecks/recheck-deposits";

/**
 * Leaves out the transfers whose blocks have become final since they were read, if the process was paused: deposits in
 * final blocks are not looked up again, so nobody would notice a reorg in between. `finalBefore` is the final height that
 * was known before they were read. The caller reads them again.
 */
export async function omitFinalSince(
  tx: Database,
  { asset, transfers, finalBefore }: { asset: AssetSymbol; transfers: ChainTransfer[]; finalBefore: number | null },
): Promise<ChainTransfer[]> {
  const finalNow = await getFinalizedHeight(tx, asset);
  return transfers.filter((transfer) => !becameFinal(transfer, finalBefore, finalNow));
}
