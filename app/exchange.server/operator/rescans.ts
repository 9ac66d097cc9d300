import { and, eq, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { getChainState } from "../db/chain-state";
import type { Database } from "../db/database";
import { rescans } from "../db/schema/chains";
import { OperatorError } from "./operator-error";

/** Has the running exchange read a range of blocks again. @throws OperatorError */
export async function requestRescan(
  db: Database,
  { asset, from, to, at }: { asset: AssetSymbol; from: number; to: number; at: Date },
): Promise<string[]> {
  const newest = await readNewestBlock(db, asset);
  if (from > to) throw new OperatorError("FROM is above TO: swap them.");
  if (newest === null || to > newest) {
    throw new OperatorError(
      `The exchange has read the ${asset} chain up to block ${newest ?? "none"}: lower TO. It reads newer blocks anyway.`,
    );
  }
  await db.insert(rescans).values({ asset, fromBlock: from, toBlock: to, nextBlock: from, requestedAt: at });
  return [`rescan: ${asset} blocks ${from} to ${to}`];
}

/** The last block that was read, or null. The stored height of MobileCoin is the block after it (`ScanCursor`). */
async function readNewestBlock(db: Database, asset: AssetSymbol): Promise<number | null> {
  const chain = await getChainState(db, asset);
  return (asset === "MOB" ? chain?.finalizedHeight : chain?.height) ?? null;
}

/** Ends the rescans of an asset that are not finished. @throws OperatorError if there is none */
export async function cancelRescans(tx: Database, { asset, at }: { asset: AssetSymbol; at: Date }): Promise<string[]> {
  const ended = await tx
    .update(rescans)
    .set({ finishedAt: at })
    .where(and(eq(rescans.asset, asset), isNull(rescans.finishedAt)))
    .returning();
  if (ended.length === 0) throw new OperatorError(`There is no rescan of ${asset} to cancel.`);
  return ended.map(
    ({ fromBlock, toBlock, nextBlock }) => `cancelled: ${asset} blocks ${fromBlock} to ${toBlock}, at ${nextBlock}`,
  );
}
