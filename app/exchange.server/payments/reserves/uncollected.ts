import { and, eq, inArray, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import type { Holdings } from "../../chains/gateway";
import type { RunningContext } from "../../context";
import { getFinalizedHeight } from "../../db/chain-state";
import { type Database, queryRows } from "../../db/database";
import { deposits } from "../../db/schema/deposits";
import { orders } from "../../db/schema/orders";
import { depositIs, isCreditedInFull } from "../../deposits/deposit-state";
import { describeError } from "../../describe-error";

/*
 * Deposits of USDT arrive at the funding address of their order, and an operator collects them there. An address is
 * read until it was found empty after a final block: before that, a reorg can put the money back. The same applies to
 * the address of a dropped deposit that we still look for: if the deposit is there after all, it shows up as a surplus.
 */

/** SQL condition: the deposit's address has not been found empty at a final block since the deposit. */
export const isUncollected = or(isNull(deposits.emptyAtHeight), lt(deposits.emptyAtHeight, deposits.blockNumber));

export const selectUncollected = (asset: AssetSymbol): SQL =>
  sql`select address, min(block_number)::text as "firstBlock"
        from (${selectAddresses(asset, ne(deposits.status, "failed"))}
              union all
              ${selectAddresses(asset, depositIs.dropped)}) as uncollected
       group by address
       order by address`;

// The order is looked up for each deposit, because the planner expects more deposits here than there ever are.
const selectAddresses = (asset: AssetSymbol, condition: SQL | undefined): SQL =>
  sql`select (select funding_address from ${orders} where ${orders.id} = ${deposits.orderId}) as address, block_number
        from ${deposits}
       where ${and(eq(deposits.asset, asset), condition, isUncollected)}`;

/** The funding addresses with a deposit that is not known to be collected, and the block of the first such deposit. */
export async function listUncollected(db: Database, asset: AssetSymbol): Promise<Map<string, number>> {
  if (asset === "MOB") return new Map();
  const rows = await queryRows<{ address: string; firstBlock: string }>(db, selectUncollected(asset));
  return new Map(rows.map(({ address, firstBlock }) => [address, Number(firstBlock)]));
}

type Collectable = { orderId: string; quoteId: number; address: string; fundingIndex: number; amount: bigint };

/**
 * What each funding address of USDT holds according to the books, until the address is known to be collected. For
 * operators.
 */
export async function listCollectable(db: Database): Promise<Collectable[]> {
  const { id: orderId, quoteId, fundingAddress: address, fundingIndex } = orders;
  const isAtAddress = or(depositIs.pending, isCreditedInFull);
  return db
    .select({ orderId, quoteId, address, fundingIndex, amount: sql<string>`sum(${deposits.amount})`.mapWith(BigInt) })
    .from(deposits)
    .innerJoin(orders, eq(orderId, deposits.orderId))
    .where(and(eq(deposits.asset, "USDT"), isAtAddress, isUncollected))
    .groupBy(orderId)
    .orderBy(fundingIndex);
}

/**
 * Remembers which of the funding addresses that are empty now were empty after a final block too, so that they are not
 * read again before their next deposit.
 */
export async function rememberCollected(
  ctx: RunningContext,
  asset: AssetSymbol,
  { uncollected, holdings }: { uncollected: Map<string, number>; holdings: Holdings },
): Promise<void> {
  const isEmpty = ({ atAddresses }: Holdings, address: string) => atAddresses.get(address) === 0n;
  const emptyNow = [...uncollected].filter(([address]) => isEmpty(holdings, address));
  if (emptyNow.length === 0) return;
  const gateway = ctx.chains[asset];
  // A deposit that turns out to be in a later block than its row says is read again: see `isUncollected`.
  const height = (await getFinalizedHeight(ctx.db, asset)) ?? holdings.height - gateway.settledConfirmations;
  const addresses = emptyNow.flatMap(([address, firstBlock]) => (firstBlock <= height ? [address] : []));
  if (addresses.length === 0) return;
  const final = await gateway.readHoldings(addresses, height).catch((error: unknown) => {
    // Until the nodes return these balances, the addresses are read again each time.
    ctx.log.warn({ asset, height, error: describeError(error) }, "final balances of funding addresses cannot be read");
    return null;
  });
  const collected = final === null ? [] : addresses.filter((address) => isEmpty(final, address));
  await ctx.db
    .update(deposits)
    .set({ emptyAtHeight: height })
    .from(orders)
    .where(
      and(
        eq(orders.id, deposits.orderId),
        eq(orders.sourceAsset, asset),
        inArray(orders.fundingAddress, collected),
        eq(deposits.asset, asset),
      ),
    );
}
