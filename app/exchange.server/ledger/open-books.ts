import { eq } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import { lockFor } from "../db/database";
import { ledgerAccounts } from "../db/schema/ledger";
import { external, post, treasury } from "./ledger";

/**
 * Posts the opening balance of each asset, once: what our wallet holds at the first start goes to
 * the treasury. Later starts post nothing, even if the wallet was empty then: what it holds by now
 * may be customers' deposits. An operator books later additions with `operate float`.
 *
 * An asset's books are open once it has an account in the ledger; a balance of 0 opens the
 * treasury's account without a transfer.
 */
export async function recordOpeningBalances(ctx: ExchangeContext): Promise<void> {
  for (const asset of ["USDT", "MOB"] as const) {
    const amount = await ctx.chains[asset].getSpendable();
    await ctx.db.transaction(async (tx) => {
      await lockFor(tx, `books:${asset}`);
      const [opened] = await tx
        .select({ code: ledgerAccounts.code })
        .from(ledgerAccounts)
        .where(eq(ledgerAccounts.asset, asset))
        .limit(1);
      if (opened) return;
      await tx.insert(ledgerAccounts).values({ asset, code: treasury, balance: 0n });
      const at = await ctx.clock.now(tx);
      await post(tx, {
        transfers: [{ asset, from: external, to: treasury, amount, kind: "float" }],
        orderId: null,
        at,
      });
    });
  }
}
