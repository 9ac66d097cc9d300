import { and, asc, eq, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { RunningContext } from "../context";
import { getFinalizedHeight } from "../db/chain-state";
import { type Database, lockFor } from "../db/database";
import { rescans } from "../db/schema/chains";
import { applyTransfers, toBatches } from "./apply-transfers";
import { matchFundingAddresses } from "./match-addresses";
import { omitFinalSince } from "./omit-final-since";

/** Ranges read in one run of the job, and how long a run lasts before its last one; the next run continues. */
const maxSteps = 10;
const maxRunMs = 3_000;

/** The ranges that are not finished, oldest first. */
export async function listOpenRescans(db: Database): Promise<(typeof rescans.$inferSelect)[]> {
  return db.select().from(rescans).where(isNull(rescans.finishedAt)).orderBy(asc(rescans.id));
}

/**
 * Works on the block ranges that an operator asked to read again, oldest first. As in a scan, many transfers are applied
 * in several transactions, and the progress is stored with the last of them. A range may overlap blocks that were read
 * before, or that another process is reading: a deposit that is already known changes nothing. Ends after a few seconds,
 * because the next scan waits for it.
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
    const finalBefore = await getFinalizedHeight(ctx.db, asset);
    const { transfers, through } = await ctx.chains[asset].readRange(range, (addresses) =>
      matchFundingAddresses(ctx, asset, addresses),
    );
    /** Runs `store` after these transfers, unless one of their blocks has become final since it was read. */
    const apply = (batch: ChainTransfer[], store: (tx: Database, at: Date) => Promise<unknown>) =>
      ctx.db.transaction(async (tx) => {
        await lockFor(tx, `scan:${asset}`);
        if ((await omitFinalSince(tx, { asset, transfers: batch, finalBefore })).length < batch.length) return false;
        const at = await ctx.clock.now(tx);
        await applyTransfers(tx, ctx, { asset, transfers: batch, seenAt: at });
        await store(tx, at);
        return true;
      });
    const isApplied = async ({ others, last }: ReturnType<typeof toBatches>) => {
      for (const batch of others) if (!(await apply(batch, async () => undefined))) return false;
      return apply(last, (tx, at) =>
        tx
          .update(rescans)
          .set({ nextBlock: through + 1, finishedAt: through >= rescan.toBlock ? at : null })
          // An operator may have cancelled it in the meantime.
          .where(and(eq(rescans.id, rescan.id), eq(rescans.nextBlock, rescan.nextBlock), isNull(rescans.finishedAt))),
      );
    };
    // Otherwise, the next step, or the next run, reads the range again.
    if (!(await isApplied(toBatches(transfers)))) continue;
    // Nothing was read, because the nodes do not agree on the next block. The next run tries again.
    if (through < rescan.nextBlock) return;
  }
}
