import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import { maxBigint } from "../../lib/bigint";
import { minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { type ChainState, getChainState } from "../db/chain-state";
import type { Database } from "../db/database";

type Costs = Record<AssetSymbol, bigint>;

/** What the jobs `check-wallet-*` have read of a chain. */
type ReadCost = Pick<ChainState, "paymentCost" | "walletCheckedAt">;

/** Values that were read longer ago than this no longer count as known: prices may have changed a lot since. */
const staleMs = 10 * minuteMs;

/** Whether our wallet on a chain was read in the last ten minutes. */
export function isWalletKnown({ walletCheckedAt }: Pick<ReadCost, "walletCheckedAt">, at: Date): boolean {
  // A time in the future was stored before the database's clock was corrected (T61), so its age is not known.
  return walletCheckedAt !== null && Math.abs(at.getTime() - walletCheckedAt.getTime()) <= staleMs;
}

/**
 * What a payment costs, in base units of its asset: the chain's price when it was last read, but at least the
 * `configured` cost. `isKnown`: whether it was read recently, or payments are free on this chain, so that only the
 * configured cost counts. Estimates may use the amount either way, but nothing is deducted or promised while it is not
 * known. Pure.
 */
export function toCost(
  chain: ReadCost | null | undefined,
  configured: bigint,
  at: Date,
): { amount: bigint; isKnown: boolean } {
  if (!chain?.paymentCost) return { amount: configured, isKnown: true };
  return { amount: maxBigint(configured, chain.paymentCost), isKnown: isWalletKnown(chain, at) };
}

/** The amounts of `toCost` on all chains. */
export function toCosts(chains: Record<AssetSymbol, ReadCost | null>, configured: Costs, at: Date): Costs {
  return Object.fromEntries(
    assetSymbols.map((asset) => [asset, toCost(chains[asset], configured[asset], at).amount]),
  ) as Costs;
}

/** A chain, and the time now. */
type ChainAtTime = { asset: AssetSymbol; at: Date };

/**
 * What a refund costs now, in base units of its asset. Null if it is not known, because the chain has been unreachable
 * for ten minutes: the refund is then planned later.
 */
export async function getRefundCost(
  db: Database,
  { config }: Pick<ExchangeContext, "config">,
  { asset, at }: ChainAtTime,
): Promise<bigint | null> {
  const { amount, isKnown } = toCost(await getChainState(db, asset), config.refundCost[asset], at);
  return isKnown ? amount : null;
}

/**
 * Like `getRefundCost`, but returns the last known cost if the current one is not known. Only for what the owner is
 * shown.
 */
export async function estimateRefundCost(
  db: Database,
  { config }: Pick<ExchangeContext, "config">,
  { asset, at }: ChainAtTime,
): Promise<bigint> {
  return toCost(await getChainState(db, asset), config.refundCost[asset], at).amount;
}
