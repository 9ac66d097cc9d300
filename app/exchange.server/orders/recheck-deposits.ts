import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";
import { deposits } from "../db/schema/deposits";
import { clearAlert } from "../switches/alerts";
import type { DepositRow } from "./queries";
import { reverseDeposit } from "./reverse-deposit";

/**
 * Asks the chain again for the credited deposits of an order, because a reorg may have removed one
 * since it was credited. Deposits in finalized blocks are not asked for. Reverses what is gone.
 *
 * Calls the chain, so it must not run in a transaction.
 * @returns `funded` if every deposit is still in its block, or as deep in another one; `lost` if one
 *   is gone and could not be reversed, because its money was already paid on; `reversed` otherwise
 * @throws Error if the nodes do not agree or cannot answer: then no payment may be prepared yet
 */
export async function recheckDeposits(ctx: ExchangeContext, orderId: string): Promise<"funded" | "reversed" | "lost"> {
  const credited = await ctx.db
    .select()
    .from(deposits)
    .where(and(eq(deposits.orderId, orderId), eq(deposits.status, "confirmed")))
    .orderBy(asc(deposits.id));
  const [first] = credited;
  if (!first) return "funded";
  const finalizedHeight = await getFinalizedHeight(ctx.db, first.asset);
  const open = credited.filter(
    ({ blockNumber, missingSince }) =>
      missingSince !== null || finalizedHeight === null || blockNumber > finalizedHeight,
  );
  const safeBlocks = new Set<string>();
  let isComplete = true;
  for (const deposit of open) {
    // A block hash stands for all that is in the block, so one look-up per block is enough.
    if (!safeBlocks.has(deposit.blockHash) && !(await recheckDeposit(ctx, deposit))) isComplete = false;
    else safeBlocks.add(deposit.blockHash);
  }
  if (isComplete) return "funded";
  const lost = await ctx.db
    .select({ id: deposits.id })
    .from(deposits)
    .where(and(eq(deposits.orderId, orderId), eq(deposits.status, "confirmed"), isNotNull(deposits.missingSince)));
  return lost.length > 0 ? "lost" : "reversed";
}

async function recheckDeposit(ctx: ExchangeContext, deposit: DepositRow): Promise<boolean> {
  const [found = null] = await ctx.chains[deposit.asset].recheck([deposit]);
  if (found instanceof Error) throw found;
  if (found?.blockHash === deposit.blockHash) {
    if (deposit.missingSince !== null) await markFound(ctx, deposit);
    return true;
  }
  if (found?.disputed) throw new Error(`The nodes do not agree on the block of deposit ${deposit.id}.`);
  if (found && found.confirmations >= deposit.requiredConfirmations) {
    const { blockHash, blockNumber, blockLogIndex } = found;
    await ctx.db
      .update(deposits)
      .set({ blockHash, blockNumber, blockLogIndex, missingSince: null })
      .where(and(eq(deposits.id, deposit.id), eq(deposits.blockHash, deposit.blockHash)));
    await clearAlert(ctx.db, `deposit:${deposit.id}`);
    return true;
  }
  ctx.log.error({ deposit: deposit.id, order: deposit.orderId }, "a reorg removed a credited deposit");
  await ctx.db.transaction((tx) => reverseDeposit(tx, ctx, { deposit, found }));
  return false;
}

async function markFound(ctx: ExchangeContext, deposit: DepositRow): Promise<void> {
  await ctx.db.update(deposits).set({ missingSince: null }).where(eq(deposits.id, deposit.id));
  await clearAlert(ctx.db, `deposit:${deposit.id}`);
}

/** The highest block of the asset's chain that can no longer be reorganised away; null if it is not known. */
export async function getFinalizedHeight(db: Database, asset: AssetSymbol): Promise<number | null> {
  const [row] = await db
    .select({ height: chainStates.finalizedHeight })
    .from(chainStates)
    .where(eq(chainStates.asset, asset));
  return row?.height ?? null;
}
