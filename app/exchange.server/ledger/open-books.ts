import { eq } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import type { RunningContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { ledgerAccounts } from "../db/schema/ledger";
import { external, post, treasury } from "./ledger";

/**
 * Posts the opening balance of an asset, once: what our wallet holds at the first start goes to
 * the treasury. Later starts post nothing, even if the wallet was empty at the first start: what it holds by now may be
 * customers' deposits. An operator books later additions with `operate float`.
 *
 * An asset's books are open once it has an account in the ledger; a balance of 0 opens the
 * treasury's account without a transfer. Rejects while the node or wallet is not in sync, because
 * its balance may be too low.
 */
export async function recordOpeningBalance(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  if (await isOpen(ctx.db, asset)) return;
  const holdings = await ctx.chains[asset].readHoldings([]);
  if (!holdings) throw new Error("our balance is not known before the nodes or the wallet are in sync");
  const isNew = await ctx.db.transaction(async (tx) => {
    await lockFor(tx, `books:${asset}`);
    if (await isOpen(tx, asset)) return false;
    await tx.insert(ledgerAccounts).values({ asset, code: treasury, balance: 0n });
    const at = await ctx.clock.now(tx);
    await post(tx, {
      transfers: [{ asset, from: external, to: treasury, amount: holdings.wallet, kind: "float" }],
      orderId: null,
      at,
    });
    return true;
  });
  if (!isNew || ctx.config.mode !== "live") return;
  // With the wrong database, customers' money would count as ours.
  const amount = formatAmount(holdings.wallet, asset);
  ctx.log.warn({ asset, amount }, "this exchange is new: what the wallet holds was booked as its treasury");
}

async function isOpen(db: Database, asset: AssetSymbol): Promise<boolean> {
  const [account] = await db
    .select({ code: ledgerAccounts.code })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.asset, asset))
    .limit(1);
  return account !== undefined;
}
