import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import { maxBigint } from "../../lib/bigint";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";

type Costs = Record<AssetSymbol, bigint>;

/**
 * What a payout and a refund cost now, in base units of their asset: what the chain asks for a payment,
 * and at least what is configured. The job `check-wallets` reads the chain.
 */
export async function getPaymentCosts(
  db: Database,
  { config }: Pick<ExchangeContext, "config">,
): Promise<{ payout: Costs; refund: Costs }> {
  const rows = await db.select({ asset: chainStates.asset, paymentCost: chainStates.paymentCost }).from(chainStates);
  const find = (asset: AssetSymbol) => rows.find((row) => row.asset === asset) ?? null;
  return toPaymentCosts(config, { USDT: find("USDT"), MOB: find("MOB") });
}

type ChainCosts = Record<AssetSymbol, { paymentCost: bigint | null } | null>;

/** Like `getPaymentCosts`, by chain states that are already read. */
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
