/** What the records that customers keep have in common: receipts, printed, as PDF and as JSON, and the CSV file. */
import type { Order, Transaction } from "~/api/contract";
import type { AssetSymbol } from "~/lib/assets";
import { formatAmount, parseAmount } from "~/lib/money";

/** The payments of a purpose that the customer certainly has. Others may be waiting to be sent. */
export function listConfirmed(
  { outgoing_txs }: Pick<Order, "outgoing_txs">,
  purpose: Transaction["purpose"],
): Transaction[] {
  return outgoing_txs.filter((tx) => tx.purpose === purpose && tx.status === "confirmed");
}

/** The network fees that were deducted from refunds, as a decimal. */
export function sumRefundCosts(refunds: readonly Transaction[], asset: AssetSymbol): string {
  return addAmounts(
    refunds.map(({ refund_cost = "0" }) => refund_cost),
    asset,
  );
}

/** The sum of amounts of an asset, as a decimal. */
export function addAmounts(amounts: readonly string[], asset: AssetSymbol): string {
  return formatAmount(
    amounts.reduce((total, amount) => total + parseAmount(amount, asset), 0n),
    asset,
  );
}
