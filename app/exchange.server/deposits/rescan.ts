import { and, asc, eq, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { RunningContext } from "../context";
import { getFinalizedHeight } from "../db/chain-state";
import { type Database, lockFor } from "../db/database";
import { rescans } from "../db/schema/chains";
import { applyTransfers } from "./apply-transfers";
import { matchFundingAddresses } from "./match-addresses";
import { omitFinalSince } from "./omit-final-since";

/** Ranges read in one run of the job; the next run continues. */
const maxSteps = 10;

/** The ranges that are not finished, oldest first. */
export async function listOpenRescans(db: Database): Promise<(typeof rescans.$inferSelect)[]> {
  return db.select().from(rescans).where(isNull(rescans.finishedAt)).orderBy(asc(rescans.id));
}

/**
 * Works on the block ranges that an operator asked to read again, oldest first. Transfers and progress are stored in
 * one transaction. A range may overlap blocks that were read before, or that another process is reading: a deposit
 * that is already known changes nothing.
 */
export async function continueRescans(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  for (let step = 0; step < maxSteps; step += 1) {
    const [rescan] = await ctx.db
      .select()
      .from(rescans)
      .where(and(eq(rescans.asset, asset), isNull(rescans.finishedAt)))
      .orderBy(asc(rescans.id))
      .limit(1);
    if (!rescan) return;
    const range = { from: rescan.nextBlock, to: rescan.toBlock };
    const finalBefore = await getFinalizedHeight(ctx.db, asset);
    const { transfers, through } = await ctx.chains[asset].readRange(range, (addresses) =>
      matchFundingAddresses(ctx, asset, addresses),
    );
    await ctx.db.transaction(async (tx) => {
      await lockFor(tx, `scan:${asset}`);
      // The next step, or the next run, reads the range again.
      if ((await omitFinalSince(tx, { asset, transfers, finalBefore })).length < transfers.length) return;
      const at = await ctx.clock.now(tx);
      await applyTransfers(tx, ctx, { asset, transfers, seenAt: at });
      await tx
        .update(rescans)
        .set({ nextBlock: through + 1, finishedAt: through >= rescan.toBlock ? at : null })
        // An operator may have cancelled it in the meantime.
        .where(and(eq(rescans.id, rescan.id), eq(rescans.nextBlock, rescan.nextBlock), isNull(rescans.finishedAt)));
    });
    // Nothing was read, because the nodes do not agree on the next block. The next run tries again.
    if (through < rescan.nextBlock) return;
  }
}
