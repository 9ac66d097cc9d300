import { eq } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import { maxBigint } from "../../lib/bigint";
import { minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";

type Costs = Record<AssetSymbol, bigint>;

/**
 * What a payout and a refund cost now, in base units of their asset: the chain's current price of a payment, but at
 * least the configured cost. The job `check-wallets` reads the chain.
 */
export async function getPaymentCosts(
  db: Database,
  { config }: Pick<ExchangeContext, "config">,
): Promise<{ payout: Costs; refund: Costs }> {
  const rows = await db.select({ asset: chainStates.asset, paymentCost: chainStates.paymentCost }).from(chainStates);
  const find = (asset: AssetSymbol) => rows.find((row) => row.asset === asset) ?? null;
  return toPaymentCosts(config, { USDT: find("USDT"), MOB: find("MOB") });
}

/**
 * A cost that was read longer ago than this no longer counts as known: prices may have peaked then, or since.
 */
const staleMs = 10 * minuteMs;

/** A chain, and the time now. */
type Moment = { asset: AssetSymbol; at: Date };

/**
 * What a refund costs now, in base units of its asset, as in `getPaymentCosts`. Null if it is not known, because the
 * chain has been unreachable for ten minutes: the refund is then planned later.
 */
export function getRefundCost(
  db: Database,
  { config }: Pick<ExchangeContext, "config">,
  moment: Moment,
): Promise<bigint | null> {
  return getKnownCost(db, config.refundCost, moment);
}

/**
 * What a payout costs now, or null if it is not known, as in `getRefundCost`: no price is then offered for an order.
 */
export function getPayoutCost(
  db: Database,
  { config }: Pick<ExchangeContext, "config">,
  moment: Moment,
): Promise<bigint | null> {
  return getKnownCost(db, config.payoutCost, moment);
}

async function getKnownCost(db: Database, atLeast: Costs, { asset, at }: Moment): Promise<bigint | null> {
  const [chain] = await db
    .select({ paymentCost: chainStates.paymentCost, readAt: chainStates.walletCheckedAt })
    .from(chainStates)
    .where(eq(chainStates.asset, asset));
  const { paymentCost, readAt } = chain ?? {};
  // If payments are free on this chain, only the configured cost counts.
  if (!paymentCost) return atLeast[asset];
  if (!readAt || at.getTime() - readAt.getTime() > staleMs) return null;
  return maxBigint(atLeast[asset], paymentCost);
}

type ChainCosts = Record<AssetSymbol, { paymentCost: bigint | null } | null>;

/** Like `getPaymentCosts`, from chain states that have already been read. */
export function toPaymentCosts(
  config: ExchangeContext["config"],
  chains: ChainCosts,
): { payout: Costs; refund: Costs } {
  const atLeast = (configured: Costs) =>
    Object.fromEntries(
      assetSymbols.map((asset) => [asset, maxBigint(configured[asset], chains[asset]?.paymentCost ?? 0n)]),
    ) as Costs;
  return { payout: atLeast(config.payoutCost), refund: atLeast(config.refundCost) };
}
