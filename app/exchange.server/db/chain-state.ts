import { eq } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "./database";
import { chainStates } from "./schema/chains";

export type ChainState = typeof chainStates.$inferSelect;

/** The stored state of the asset's chain; undefined before its first scan. */
export async function getChainState(db: Database, asset: AssetSymbol): Promise<ChainState | undefined> {
  const [row] = await db.select().from(chainStates).where(eq(chainStates.asset, asset));
  return row;
}

/**
 * Locks and reads the stored state of the asset's chain, so that nothing else changes it before the transaction ends.
 */
export async function lockChainState(tx: Database, asset: AssetSymbol): Promise<ChainState | undefined> {
  const [row] = await tx.select().from(chainStates).where(eq(chainStates.asset, asset)).for("no key update");
  return row;
}

/** Whether the asset's chain has been read up to a time, so that every deposit up to that time is stored. */
export async function hasReadSince(db: Database, asset: AssetSymbol, time: Date): Promise<boolean> {
  const chain = await getChainState(db, asset);
  return chain?.synced === true && chain.scannedThrough !== null && chain.scannedThrough >= time;
}

/** The highest block of the asset's chain that can no longer be removed by a reorg; null if it is not known. */
export async function getFinalizedHeight(db: Database, asset: AssetSymbol): Promise<number | null> {
  return (await getChainState(db, asset))?.finalizedHeight ?? null;
}

/** Stores the given columns of the chain's state and leaves the others unchanged. */
export async function saveChainState(
  db: Database,
  asset: AssetSymbol,
  columns: Partial<Omit<ChainState, "asset">>,
): Promise<void> {
  await db
    .insert(chainStates)
    .values({ asset, ...columns })
    .onConflictDoUpdate({ target: chainStates.asset, set: columns });
}
