import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { getFinalizedHeight } from "../orders/recheck-deposits";

/** The value at risk of all orders together may be this many times that of one order. */
const totalFactor = 10n;

/**
 * Whether a deposit with enough confirmations must still wait until its block is finalized. A deep
 * reorg removes whole blocks, so the sum in them counts and not each transfer: with this deposit,
 * those of its order that are not final, or the credited ones of all orders, would exceed the limit.
 *
 * The caller holds the chain's scan lock, so that no two deposits use the same room.
 */
export async function mustWaitForFinality(
  tx: Database,
  ctx: ExchangeContext,
  deposit: { asset: AssetSymbol; orderId: string; transfer: ChainTransfer; knownId: string | null },
): Promise<boolean> {
  const { asset, orderId, transfer, knownId } = deposit;
  const limit = ctx.chains[asset].finalizedAbove;
  if (limit === null) return false;
  const finalizedHeight = (await getFinalizedHeight(tx, asset)) ?? -1;
  if (transfer.blockNumber <= finalizedHeight) return false;
  const [atRisk] = await tx
    .select({
      ofOrder: sql<string>`coalesce(sum(${deposits.amount}) filter (where ${deposits.orderId} = ${orderId}), 0)::text`,
      credited: sql<string>`coalesce(sum(${deposits.amount}) filter (where ${deposits.status} = 'confirmed'), 0)::text`,
    })
    .from(deposits)
    .where(
      and(
        eq(deposits.asset, asset),
        ne(deposits.status, "failed"),
        gt(deposits.blockNumber, finalizedHeight),
        knownId === null ? undefined : ne(deposits.id, knownId),
      ),
    );
  const ofOrder = BigInt(atRisk?.ofOrder ?? "0") + transfer.amount;
  const credited = BigInt(atRisk?.credited ?? "0") + transfer.amount;
  return ofOrder > limit || credited > limit * totalFactor;
}
