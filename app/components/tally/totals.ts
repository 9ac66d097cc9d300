import type { Order, Transaction } from "~/api/contract";
import { type AssetSymbol, assetSymbols } from "~/lib/assets";
import { formatAmount, parseAmount } from "~/lib/money";

/** Decimal strings. */
export type AssetTotals = { asset: AssetSymbol; deposited: string; withdrawn: string };

export type OrderTxs = Pick<Order, "incoming_txs" | "outgoing_txs">;

/**
 * What came from the customer and what went out to them (payouts and refunds), for each
 * asset. S09: transactions with status failed are left out. Exact, in base units.
 */
export function totalsOf(orders: readonly OrderTxs[]): AssetTotals[] {
  const totals = new Totals();
  for (const order of orders) totals.add(order);
  return totals.read();
}

/** The same, an order at a time: a long list need not be held. */
export class Totals {
  readonly #deposited: Record<AssetSymbol, bigint> = { USDT: 0n, MOB: 0n };
  readonly #withdrawn: Record<AssetSymbol, bigint> = { USDT: 0n, MOB: 0n };

  add({ incoming_txs, outgoing_txs }: OrderTxs): void {
    addUp(this.#deposited, incoming_txs);
    addUp(this.#withdrawn, outgoing_txs);
  }

  read(): AssetTotals[] {
    return assetSymbols.map((asset) => ({
      asset,
      deposited: formatAmount(this.#deposited[asset], asset),
      withdrawn: formatAmount(this.#withdrawn[asset], asset),
    }));
  }
}

function addUp(sums: Record<AssetSymbol, bigint>, transactions: readonly Transaction[]): void {
  for (const { status, asset_symbol, amount } of transactions) {
    if (status !== "failed") sums[asset_symbol] += parseAmount(amount, asset_symbol);
  }
}
