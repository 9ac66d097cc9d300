import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { RunningContext } from "../context";
import { getFinalizedHeight } from "../db/chain-state";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";

/** The value at risk of all orders together may be this many times the value for one order. */
const totalFactor = 10n;

/** Decides for each deposit of a batch whether it may be credited, and counts each of them towards the limits. */
export type FinalityLimit = {
  /**
   * Whether a deposit has to wait until its block is finalized, even if it gets its confirmations first. Call it once
   * per deposit. `isNew`: it is not stored yet. `isDeep`: it has its confirmations.
   */
  mustWait(deposit: { orderId: string; transfer: ChainTransfer; isNew: boolean; isDeep: boolean }): Promise<boolean>;
};

/**
 * Limits the value at risk. A deep reorg removes whole blocks, so what counts is the sum of the deposits in
 * them, not each transfer. A deposit waits for finality if crediting it would exceed the limit for its order's deposits
 * that are not final, or the limit for all orders' credited deposits that are not final.
 *
 * The caller holds the chain's scan lock, so that two deposits cannot use the same remaining amount.
 */
export async function openFinalityLimit(tx: Database, ctx: RunningContext, asset: AssetSymbol): Promise<FinalityLimit> {
  const limit = ctx.chains[asset].finalizedAbove;
  if (limit === null) return { mustWait: async () => false };
  const finalizedHeight = (await getFinalizedHeight(tx, asset)) ?? -1;
  const isAtRisk = and(eq(deposits.asset, asset), gt(deposits.blockNumber, finalizedHeight));
  const sum = async (condition: ReturnType<typeof and>) => {
    const [row] = await tx
      .select({ total: sql<string>`coalesce(sum(${deposits.amount}), 0)::text` })
      .from(deposits)
      .where(and(isAtRisk, condition));
    return BigInt(row?.total ?? "0");
  };
  let credited = await sum(eq(deposits.status, "confirmed"));
  const ofOrders = new Map<string, bigint>();
  return {
    async mustWait({ orderId, transfer, isNew, isDeep }) {
      if (transfer.blockNumber <= finalizedHeight) return false;
      const known =
        ofOrders.get(orderId) ?? (await sum(and(eq(deposits.orderId, orderId), ne(deposits.status, "failed"))));
      const ofOrder = known + (isNew ? transfer.amount : 0n);
      ofOrders.set(orderId, ofOrder);
      if (ofOrder > limit) return true;
      if (!isDeep) return false;
      if (credited + transfer.amount > limit * totalFactor) return true;
      credited += transfer.amount;
      return false;
    },
  };
}
