import { and, count, eq, isNotNull, isNull, max } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";
import { payments } from "../db/schema/payments";

/**
 * The nonce for the next payment, given the chain's next nonce, which must have been read before
 * this is called: one after the last stored nonce, or the chain's own for the
 * very first payment. Null on a chain without nonces.
 *
 * "unexpected" when nothing may be sent until an operator has checked, because either
 * - the chain is ahead of the database: someone else used the signer's key, or an old backup
 *   was restored; or
 * - this signer never paid from this database but another one did: the payout key changed,
 *   and a wrong nonce would leave a gap that blocks all payments behind it.
 */
export async function chooseNonce(
  tx: Database,
  ctx: ExchangeContext,
  asset: AssetSymbol,
  onChain: number | null,
): Promise<number | null | "unexpected"> {
  const gateway = ctx.chains[asset];
  if (onChain === null) return null;
  const [stored] = await tx
    .select({ nonce: max(payments.nonce) })
    .from(payments)
    .where(eq(payments.signer, gateway.signer));
  const [state] = await tx.select().from(chainStates).where(eq(chainStates.asset, asset));
  const last = stored?.nonce ?? null;
  const baseline = state?.baselineNonce ?? null;
  if (last === null) {
    return baseline === null || onChain === baseline ? onChain : "unexpected";
  }
  const expected = Math.max(last + 1, baseline ?? 0);
  return onChain > expected ? "unexpected" : expected;
}

/** Records the nonce of the first payment from this database. */
export async function storeBaseline(tx: Database, asset: AssetSymbol, nonce: number | null): Promise<void> {
  const [paid] = await tx
    .select({ count: count() })
    .from(payments)
    .where(and(eq(payments.asset, asset), isNotNull(payments.nonce)));
  if (nonce === null || (paid?.count ?? 0) > 1) return;
  await tx
    .update(chainStates)
    .set({ baselineNonce: nonce })
    .where(and(eq(chainStates.asset, asset), isNull(chainStates.baselineNonce)));
}
