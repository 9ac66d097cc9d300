import type { Order, Transaction } from "~/api/contract";
import type { AssetSymbol } from "~/lib/assets";
import { formatAmount, parseAmount } from "~/lib/money";
import { paths } from "~/lib/paths";

type ExportColumn = { name: string; of: (order: Order, origin: string) => string };

/** One order a line. Times are ISO 8601 in UTC, amounts plain decimals; S09 holds for the sums. */
const columns: readonly ExportColumn[] = [
  { name: "created_at", of: (order) => order.created_at },
  { name: "status", of: (order) => order.status },
  { name: "send_asset", of: (order) => order.source_asset_symbol },
  { name: "send_amount", of: (order) => order.source_amount },
  { name: "receive_asset", of: (order) => order.target_asset_symbol },
  { name: "receive_amount", of: (order) => order.target_amount },
  { name: "fee_asset", of: (order) => order.fee_asset_symbol },
  { name: "fee_amount", of: (order) => order.fee_amount },
  { name: "exchange_rate", of: (order) => order.exchange_rate },
  { name: "deposited", of: (order) => sum(order.incoming_txs, order.source_asset_symbol) },
  { name: "paid_out", of: (order) => sum(only(order, "payout"), order.target_asset_symbol) },
  { name: "refunded", of: (order) => sum(only(order, "refund"), order.source_asset_symbol) },
  { name: "deposit_hashes", of: (order) => toHashes(order.incoming_txs) },
  { name: "payout_hashes", of: (order) => toHashes(order.outgoing_txs) },
  { name: "delivery_address", of: (order) => order.delivery_address },
  { name: "refund_address", of: (order) => order.refund_address },
  { name: "updated_at", of: (order) => order.updated_at },
  // A quote's number has up to 16 digits, of which a spreadsheet would keep 15; its page is text.
  { name: "page", of: (order, origin) => origin + paths.quote(order.quote_id) },
  { name: "swap_id", of: (order) => order.id },
];

export const exportHeader: readonly string[] = columns.map(({ name }) => name);

export function toOrderCells(order: Order, origin: string): string[] {
  return columns.map(({ of }) => of(order, origin));
}

function only(order: Order, purpose: Transaction["purpose"]): Transaction[] {
  return order.outgoing_txs.filter((tx) => tx.purpose === purpose);
}

function sum(transactions: readonly Transaction[], asset: AssetSymbol): string {
  const units = transactions
    .filter((tx) => tx.status !== "failed" && tx.asset_symbol === asset)
    .reduce((all, tx) => all + parseAmount(tx.amount, asset), 0n);
  return formatAmount(units, asset);
}

function toHashes(transactions: readonly Transaction[]): string {
  return transactions
    .filter(({ status }) => status !== "failed")
    .map(({ hash }) => hash)
    .filter((hash) => hash !== null)
    .join(" ");
}
