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

/** The highest block of the asset's chain that can no longer be reorganised away; null if it is not known. */
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
