import { and, eq, isNull, max } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { RunningContext } from "../context";
import { getChainState } from "../db/chain-state";
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
  ctx: RunningContext,
  asset: AssetSymbol,
  onChain: number | null,
): Promise<number | null | "unexpected"> {
  const gateway = ctx.chains[asset];
  if (onChain === null) return null;
  const [stored] = await tx
    .select({ nonce: max(payments.nonce) })
    .from(payments)
    .where(eq(payments.signer, gateway.signer));
  const state = await getChainState(tx, asset);
  const last = stored?.nonce ?? null;
  const baseline = state?.baselineNonce ?? null;
  if (last === null) {
    return baseline === null || onChain === baseline ? onChain : "unexpected";
  }
  const expected = Math.max(last + 1, baseline ?? 0);
  return onChain > expected ? "unexpected" : expected;
}

/** Records the nonce of a payment if no earlier one was recorded, so that `chooseNonce` knows a new payout key. */
export async function storeBaseline(tx: Database, asset: AssetSymbol, nonce: number | null): Promise<void> {
  if (nonce === null) return;
  await tx
    .update(chainStates)
    .set({ baselineNonce: nonce })
    .where(and(eq(chainStates.asset, asset), isNull(chainStates.baselineNonce)));
}
