import { sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { addMs, minuteMs } from "../../../lib/durations";
import type { RunningContext } from "../../context";
import { queryRows } from "../../db/database";
import { openPaymentStatuses } from "../../db/schema/payments";
import { describeError } from "../../describe-error";

/**
 * How many payments may be parked in a row. If the network does not accept one in between, the payments are not the
 * cause.
 */
const maxInARow = 3;

/**
 * Whether a payment that keeps failing may be parked. The chain must be reachable, and our wallet able to pay. If the
 * last payments were all parked too, a node or the wallet is at fault: then payments wait, because an operator would
 * have to retry each parked payment.
 */
export async function mayPark(ctx: RunningContext, asset: AssetSymbol): Promise<boolean> {
  try {
    const { paymentBlockReason } = await ctx.chains[asset].readWallet();
    if (paymentBlockReason !== null) return false;
  } catch (error) {
    ctx.log.warn({ asset, error: describeError(error) }, "the wallet could not be checked");
    return false;
  }
  // A later time was set while the database's clock was ahead (T61), so it does not show the order of events.
  const latest = addMs(await ctx.clock.now(ctx.db), minuteMs);
  const [row] = await queryRows<{ count: number }>(
    ctx.db,
    sql`select count(*)::int as count from payments p
         where p.asset = ${asset} and p.status in ${openPaymentStatuses} and p.parked_at is not null
           and (p.refusals > 0 or p.attempts > 0) and p.parked_at <= ${latest}
           and not exists (select from payments taken where taken.asset = p.asset
                 and (taken.sent_at between p.parked_at and ${latest}
                   or taken.cancellation_sent_at between p.parked_at and ${latest}))`,
  );
  return (row?.count ?? 0) < maxInARow;
}
