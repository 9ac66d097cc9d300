import type { Order, Transaction } from "~/api/contract";
import { type AssetSymbol, assetSymbols } from "~/lib/assets";
import { formatAmount, parseAmount } from "~/lib/money";

/** Amounts as decimal strings. */
export type AssetTotals = { asset: AssetSymbol; deposited: string; withdrawn: string };

type OrderTxs = Pick<Order, "received_amount" | "incoming_txs" | "outgoing_txs">;

/**
 * Totals per asset of what the customer sent, and of what was or still has to be sent to them (payouts and refunds).
 * S09: failed transactions are left out. The sums are exact, in base units. Orders are added one at a time, so that a
 * long list need not be held in memory.
 */
export class Totals {
  readonly #deposited: Record<AssetSymbol, bigint> = { USDT: 0n, MOB: 0n };
  readonly #withdrawn: Record<AssetSymbol, bigint> = { USDT: 0n, MOB: 0n };

  add({ received_amount, incoming_txs, outgoing_txs }: OrderTxs): void {
    const [deposit] = incoming_txs;
    // An order with many deposits lists only some of them as transactions.
    if (received_amount === undefined || !deposit) addTransactions(this.#deposited, incoming_txs);
    else this.#deposited[deposit.asset_symbol] += parseAmount(received_amount, deposit.asset_symbol);
    addTransactions(this.#withdrawn, outgoing_txs);
  }

  read(): AssetTotals[] {
    return assetSymbols.map((asset) => ({
      asset,
      deposited: formatAmount(this.#deposited[asset], asset),
      withdrawn: formatAmount(this.#withdrawn[asset], asset),
    }));
  }
}

function addTransactions(sums: Record<AssetSymbol, bigint>, transactions: readonly Transaction[]): void {
  for (const { status, asset_symbol, amount } of transactions) {
    if (status !== "failed") sums[asset_symbol] += parseAmount(amount, asset_symbol);
  }
}
