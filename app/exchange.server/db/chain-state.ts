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
