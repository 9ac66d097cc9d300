import { desc, eq } from "drizzle-orm";
import type { RunningContext } from "../context";
import { orders } from "../db/schema/orders";
import { switchOff } from "../switches/switches";

const cause = "funding-key:USDT";

/**
 * Stops new swaps if the key for funding addresses differs from the key of our newest order that is paid in USDT: with
 * a wrong key, customers would pay to addresses whose coins cannot be spent. Runs at every start of every process. The
 * stop does not end automatically: another process may still have the wrong key.
 */
export async function checkFundingKey(ctx: RunningContext): Promise<void> {
  const [newest] = await ctx.db
    .select({ index: orders.fundingIndex, address: orders.fundingAddress })
    .from(orders)
    .where(eq(orders.sourceAsset, "USDT"))
    .orderBy(desc(orders.fundingIndex))
    .limit(1);
  if (!newest) return;
  if (ctx.chains.USDT.deriveFundingAddress(newest.index) === newest.address) return;
  const reason = `The address that ETH_XPUB derives for funding index ${newest.index} is not that of our newest order paid in USDT. Correct it in every process, and run "operate on swaps". If you have changed the seed on purpose, keep the old one for the deposits of earlier orders: the next order has the new key.`;
  const at = await ctx.clock.now(ctx.db);
  if (await switchOff(ctx.db, "swaps", { cause, reason, at })) ctx.log.fatal({ reason }, "new swaps are stopped");
}
