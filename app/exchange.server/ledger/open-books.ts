import { and, eq } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import { lockFor } from "../db/database";
import { house, post, world } from "./ledger";
import { ledgerTransfers } from "./tables";

/**
 * The first entry of each asset's books: what our wallet holds at the first start belongs
 * to the house. Later starts write nothing; later additions are an operator's entry.
 */
export async function openBooks(x: ExchangeContext): Promise<void> {
  for (const asset of ["USDT", "MOB"] as const) {
    const amount = await x.chains[asset].getSpendable();
    await x.db.transaction(async (tx) => {
      await lockFor(tx, `books:${asset}`);
      const [opened] = await tx
        .select({ id: ledgerTransfers.id })
        .from(ledgerTransfers)
        .where(and(eq(ledgerTransfers.asset, asset), eq(ledgerTransfers.kind, "float")))
        .limit(1);
      if (opened) return;
      const at = await x.clock.now(tx);
      await post(tx, { transfers: [{ asset, from: world, to: house, amount, kind: "float" }], orderId: null, at });
    });
  }
}
