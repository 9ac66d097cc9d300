import { and, eq } from "drizzle-orm";
import { dayMs } from "../../../lib/durations";
import { formatAmount } from "../../../lib/money";
import { clearAlert, raiseAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { type DepositRow, deposits } from "../../db/schema/deposits";
import { checkNodes } from "../../operator-advice";
import { depositIs } from "../deposit-state";

/*
 * Deposits that were dropped because the nodes said that they are not in a block. The nodes may have been wrong, and
 * scans do not read these blocks again, so we look for the deposits. If one was credited, an operator is alerted.
 */

/** The minimum time for which we look for them. */
const searchMs = dayMs;

/**
 * Alerts an operator to a deposit that has just been dropped. The alert ends when the deposit is found, or when the
 * search ends.
 */
export async function reportDropped(
  tx: Database,
  ctx: ExchangeContext,
  { id, orderId, asset, amount, displayHash, missingSince }: DepositRow,
  at: Date,
): Promise<void> {
  const reason = `A credited deposit of ${formatAmount(amount, asset)} ${asset} is no longer on the chain (${displayHash}). Nothing was paid with it, and its order continues without it. We look for it for at least a day.`;
  // The deposit was a loss until the payment that used it failed.
  const stop = missingSince === null ? "" : ` To end the stop for its loss, run "operate on swaps deposit:${id}".`;
  const action = `If a block explorer shows the transaction in a block, the nodes are wrong. ${checkNodes(asset)} The deposit is credited again as soon as they find it.${stop}`;
  await raiseAlert(tx, ctx, { subject: `deposit:${id}`, orderId, reason, action, at });
}

/**
 * Ends the search for deposits that were dropped long enough ago and whose funding addresses were empty after a final
 * block. MOB arrives in our wallet, where it shows up as a surplus.
 */
export async function endSearches(ctx: ExchangeContext, dropped: DepositRow[]): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  for (const { id, asset, blockNumber, emptyAtHeight, recheckSince } of dropped) {
    const isOver = recheckSince !== null && now.getTime() - recheckSince.getTime() >= searchMs;
    const isEmpty = asset === "MOB" || (emptyAtHeight !== null && emptyAtHeight >= blockNumber);
    if (!isOver || !isEmpty) continue;
    await ctx.db.transaction(async (tx) => {
      const isStillDropped = and(eq(deposits.id, id), depositIs.dropped);
      const ended = await tx.update(deposits).set({ recheckSince: null }).where(isStillDropped).returning();
      if (ended.length > 0) await clearAlert(tx, `deposit:${id}`);
    });
  }
}
