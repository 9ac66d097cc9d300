import type { Order, Transaction } from "~/api/contract";
import { toReceived } from "~/components/order/order-sums";
import type { AssetSymbol } from "~/lib/assets";
import { formatAmount, parseAmount } from "~/lib/money";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";

type ExportColumn = { name: string; toCell: (order: Order, origin: string) => string };

/**
 * One order per line. Times are ISO 8601 in UTC and amounts are plain decimals. Sums leave out failed transactions
 * (S09).
 */
const columns: readonly ExportColumn[] = [
  { name: "created_at", toCell: (order) => order.created_at },
  { name: "status", toCell: (order) => order.status },
  { name: "send_asset", toCell: (order) => order.source_asset_symbol },
  { name: "send_amount", toCell: (order) => order.source_amount },
  { name: "receive_asset", toCell: (order) => order.target_asset_symbol },
  { name: "receive_amount", toCell: (order) => order.target_amount },
  { name: "fee_asset", toCell: (order) => order.fee_asset_symbol },
  { name: "fee_amount", toCell: (order) => order.fee_amount },
  { name: "exchange_rate", toCell: (order) => order.exchange_rate },
  { name: "deposited", toCell: toReceived },
  { name: "paid_out", toCell: (order) => sum(withPurpose(order, "payout"), order.target_asset_symbol) },
  { name: "refunded", toCell: (order) => sum(withPurpose(order, "refund"), order.source_asset_symbol) },
  { name: "deposit_hashes", toCell: (order) => toHashes(order.incoming_txs) },
  { name: "payout_hashes", toCell: (order) => toHashes(order.outgoing_txs) },
  { name: "delivery_address", toCell: (order) => order.delivery_address },
  { name: "refund_address", toCell: (order) => order.refund_address },
  { name: "updated_at", toCell: (order) => order.updated_at },
  // As part of a URL: spreadsheets keep only 15 of the up to 16 digits of a quote id.
  { name: "page", toCell: (order, origin) => origin + paths.quote(order.quote_id) },
  { name: "number", toCell: (order) => toOrderNumber(order.quote_id) },
  { name: "swap_id", toCell: (order) => order.id },
];

export const exportHeader: readonly string[] = columns.map(({ name }) => name);

export function toOrderCells(order: Order, origin: string): string[] {
  return columns.map(({ toCell }) => toCell(order, origin));
}

function withPurpose(order: Order, purpose: Transaction["purpose"]): Transaction[] {
  return order.outgoing_txs.filter((tx) => tx.purpose === purpose);
}

function sum(transactions: readonly Transaction[], asset: AssetSymbol): string {
  const units = transactions
    .filter((tx) => tx.status !== "failed" && tx.asset_symbol === asset)
    .reduce((total, tx) => total + parseAmount(tx.amount, asset), 0n);
  return formatAmount(units, asset);
}

function toHashes(transactions: readonly Transaction[]): string {
  return transactions
    .filter(({ status }) => status !== "failed")
    .map(({ hash }) => hash)
    .filter((hash) => hash !== null)
    .join(" ");
}
