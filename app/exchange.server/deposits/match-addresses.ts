import { and, eq, inArray } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import { orders } from "../db/schema/orders";

/** The given addresses that are funding addresses of orders. */
export async function matchFundingAddresses(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  addresses: string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await ctx.db
    .select({ address: orders.fundingAddress })
    .from(orders)
    .where(and(eq(orders.sourceAsset, asset), inArray(orders.fundingAddress, addresses)));
  return new Set(rows.map((row) => row.address));
}
