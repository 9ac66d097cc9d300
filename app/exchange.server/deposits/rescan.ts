import { and, asc, eq, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { RunningContext } from "../context";
import { getFinalizedHeight } from "../db/chain-state";
import type { Database } from "../db/database";
import { rescans } from "../db/schema/chains";
import { applyRead } from "./apply-read";
import { matchFundingAddresses } from "./match-addresses";

/** Ranges read in one run of the job, and how long a run lasts before its last one; the next run continues. */
const maxSteps = 10;
const maxRunMs = 3_000;

type Rescan = typeof rescans.$inferSelect;

/** The ranges that are not finished, oldest first. */
export async function listOpenRescans(db: Database): Promise<Rescan[]> {
  return db.select().from(rescans).where(isNull(rescans.finishedAt)).orderBy(asc(rescans.id));
}

/**
 * Works on the block ranges that an operator asked to read again, oldest first. The progress is stored with the last
 * transfers of a range. A range may overlap blocks that were read before, or that another process is reading: a deposit
 * that is already known changes nothing. Ends after a few seconds, because the next scan waits for it.
 */
export async function continueRescans(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  const startedAt = await ctx.clock.now(ctx.db);
  const hasTime = async () => (await ctx.clock.now(ctx.db)).getTime() - startedAt.getTime() < maxRunMs;
  for (let step = 0; step < maxSteps && (step === 0 || (await hasTime())); step += 1) {
    const [rescan] = await ctx.db
      .select()
      .from(rescans)
      .where(and(eq(rescans.asset, asset), isNull(rescans.finishedAt)))
      .orderBy(asc(rescans.id))
      .limit(1);
    if (!rescan) return;
    const range = { from: rescan.nextBlock, to: rescan.toBlock };
    const finalWhenRead = await getFinalizedHeight(ctx.db, asset);
    const { transfers, through } = await ctx.chains[asset].readRange(range, (addresses) =>
      matchFundingAddresses(ctx, asset, addresses),
    );
    const end = (tx: Database, at: Date) => storeProgress(tx, rescan, { through, at });
    const isApplied = await applyRead(ctx, { asset, transfers, finalWhenRead }, { end });
    // Otherwise, the next step, or the next run, reads the range again.
    if (!isApplied) continue;
    // Nothing was read, because the nodes do not agree on the next block. The next run tries again.
    if (through < rescan.nextBlock) return;
  }
}

/** Stores how far a range has been read, unless an operator has cancelled it, or another process was faster. */
async function storeProgress(
  tx: Database,
  { id, nextBlock, toBlock }: Rescan,
  { through, at }: { through: number; at: Date },
): Promise<void> {
  await tx
    .update(rescans)
    .set({ nextBlock: through + 1, finishedAt: through >= toBlock ? at : null })
    .where(and(eq(rescans.id, id), eq(rescans.nextBlock, nextBlock), isNull(rescans.finishedAt)));
}
