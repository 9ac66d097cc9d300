import type { Order, Transaction } from "~/api/contract";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { countMoreDeposits, toReceived } from "~/swaps/order-sums";
import { addAmounts, listConfirmed, sumRefundCosts } from "~/swaps/receipt-parts";

type ExportColumn = { name: string; toCell: (order: Order, origin: string) => string };

/**
 * One order per line. Times are ISO 8601 in UTC and amounts are plain decimals. Sums leave out failed transactions
 * (S09), and payments of ours that are not confirmed yet. Once a swap is over, `deposited` is the sum of `send_amount`
 * (if it was swapped), `refunded`, `refund_cost` and `set_aside`. Programs read the columns: new ones go to the end.
 */
const columns: readonly ExportColumn[] = [
  { name: "created_at", toCell: (order) => order.created_at },
  { name: "status", toCell: (order) => order.status },
  { name: "send_asset", toCell: (order) => order.source_asset_symbol },
  { name: "send_amount", toCell: (order) => order.source_amount },
  { name: "receive_asset", toCell: (order) => order.target_asset_symbol },
  { name: "receive_amount", toCell: ifSwapped((order) => order.target_amount) },
  { name: "fee_asset", toCell: ifSwapped((order) => order.fee_asset_symbol) },
  { name: "fee_amount", toCell: ifSwapped((order) => order.fee_amount) },
  { name: "exchange_rate", toCell: ifSwapped((order) => order.exchange_rate) },
  { name: "deposited", toCell: toReceived },
  { name: "paid_out", toCell: (order) => sum(listConfirmed(order, "payout"), order.target_asset_symbol) },
  { name: "refunded", toCell: (order) => sum(listConfirmed(order, "refund"), order.source_asset_symbol) },
  { name: "deposit_hashes", toCell: (order) => toHashes(order.incoming_txs) },
  { name: "payout_hashes", toCell: (order) => toHashes(order.outgoing_txs) },
  { name: "delivery_address", toCell: (order) => order.delivery_address },
  { name: "refund_address", toCell: (order) => order.refund_address },
  { name: "updated_at", toCell: (order) => order.updated_at },
  // As part of a URL, because spreadsheets keep only 15 of the up to 16 digits of a quote id.
  { name: "page", toCell: (order, origin) => origin + paths.quote(order.quote_id) },
  { name: "number", toCell: (order) => toOrderNumber(order.quote_id) },
  { name: "swap_id", toCell: (order) => order.id },
  {
    name: "refund_cost",
    toCell: (order) => sumRefundCosts(listConfirmed(order, "refund"), order.source_asset_symbol),
  },
  { name: "set_aside", toCell: (order) => order.set_aside_amount ?? "0" },
  { name: "finished_at", toCell: (order) => order.finished_at ?? "" },
  // Deposits that `deposit_hashes` leaves out.
  { name: "more_deposits", toCell: (order) => String(countMoreDeposits(order)) },
];

export const exportHeader: readonly string[] = columns.map(({ name }) => name);

export function toOrderCells(order: Order, origin: string): string[] {
  return columns.map(({ toCell }) => toCell(order, origin));
}

/** A cell that is empty if nothing was swapped, because the order then has only the quoted values. */
function ifSwapped(toCell: (order: Order) => string): (order: Order) => string {
  const isPayout = ({ purpose, status }: Transaction) => purpose === "payout" && status !== "failed";
  return (order) => (order.outgoing_txs.some(isPayout) ? toCell(order) : "");
}

function sum(transactions: readonly Transaction[], asset: Transaction["asset_symbol"]): string {
  return addAmounts(
    transactions.map(({ amount }) => amount),
    asset,
  );
}

function toHashes(transactions: readonly Transaction[]): string {
  return transactions
    .filter(({ status }) => status !== "failed")
    .map(({ hash }) => hash)
    .filter((hash) => hash !== null)
    .join(" ");
}
