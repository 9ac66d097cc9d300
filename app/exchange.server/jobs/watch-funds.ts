import { eq } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import { trackProblems } from "../alerts/track-problems";
import type { ExchangeContext } from "../context";
import { chainStates } from "../db/schema/chains";
import { selectFunds } from "../ledger/ledger";
import { addFunds } from "../operator-advice";

const shortages = trackProblems<AssetSymbol>();

/**
 * Job: alerts an operator while we hold and owe more of an asset for customers than our wallet can send, because quotes
 * that pay it out cannot be locked then. For a few minutes that is normal: a payment has left the wallet and is not
 * booked yet.
 */
export async function watchFunds(ctx: ExchangeContext): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const funds = selectFunds(ctx.db).as("funds");
  const { asset, spendable, paymentBlockReason } = chainStates;
  const rows = await ctx.db
    .select({ asset, spendable, paymentBlockReason, obligations: funds.obligations })
    .from(chainStates)
    .innerJoin(funds, eq(funds.asset, asset));
  for (const row of rows) {
    const subject = `liquidity:${row.asset}` as const;
    // If the wallet cannot pay, it may not report its balance, and there is a separate alert about that.
    if (row.spendable === null || row.paymentBlockReason !== null) continue;
    if (row.obligations <= row.spendable) {
      shortages.end(ctx, row.asset);
      await clearAlert(ctx.db, subject);
    } else if (shortages.note(ctx, row.asset, at) !== null) {
      const toText = (amount: bigint) => `${formatAmount(amount, row.asset)} ${row.asset}`;
      const reason = `We hold and owe ${toText(row.obligations)} for swaps, but our wallet can send only ${toText(row.spendable)}. Until it covers that, quotes that pay out ${row.asset} cannot be locked.`;
      const collect = row.asset === "USDT" ? "Collect the deposits (docs/operating.md). " : "";
      await raiseAlert(ctx.db, ctx, { subject, reason, action: `${collect}${addFunds}`, at });
    }
  }
}
