/** Shared by the records that customers keep: receipts (printed, PDF and JSON) and the CSV file. */
import type { Order, Transaction } from "~/api/contract";
import type { AssetSymbol } from "~/lib/assets";
import { formatAmount, parseAmount } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { formatExactMoney } from "~/lib/shown-amount";
import { countMoreDeposits, listRefunds, toReceived } from "./order-sums";

/** What a payment is, in lists of payments, whether or not it has been sent. */
export const paymentNames: Record<Transaction["purpose"], string> = {
  deposit: "Payment",
  payout: "Payout",
  refund: "Refund",
};

/** What a receipt calls the address of a payment. */
export const addressNames: Record<Transaction["purpose"], string> = {
  deposit: "Sent to",
  payout: "Paid out to",
  refund: "Refunded to",
};

type AmountRow = { term: string; value: string };

/**
 * The amounts of a receipt. Together with the refunds that it lists, they account for everything that was sent:
 * swapped, sent back, deducted to cover the cost of sending it back, or set aside.
 */
export function toAmountRows(order: Order, style: NumberStyle): AmountRow[] {
  const { source_asset_symbol: source, set_aside_amount: setAside = "0" } = order;
  const toRow = (term: string, amount: string) => ({ term, value: formatExactMoney(amount, source, style) });
  const deducted = sumRefundCosts(listRefunds(order), source);
  return [
    toRow("You sent", toReceived(order)),
    ...(order.status === "completed" ? toPriceRows(order, style) : []),
    ...(deducted === "0" ? [] : [toRow("Network fee deducted", deducted)]),
    ...(setAside === "0" ? [] : [toRow("Set aside", setAside)]),
  ];
}

/** The address that a payment goes to: its order's, if the exchange does not return one for the payment. */
export function toAddress(
  order: Pick<Order, "funding_address" | "delivery_address" | "refund_address">,
  { purpose, address }: Pick<Transaction, "purpose" | "address">,
): string {
  if (address !== undefined) return address;
  return { deposit: order.funding_address, payout: order.delivery_address, refund: order.refund_address }[purpose];
}

/**
 * When a payment was made. A deposit may be seen long after its block, and a payout or refund planned long before it is
 * sent. Without either time, when it was seen or planned.
 */
export function toPaidAt(payment: Pick<Transaction, "block_time" | "sent_at" | "created_at">): string {
  return payment.block_time ?? payment.sent_at ?? payment.created_at;
}

/** Only completed and refunded swaps have a receipt. */
export function hasReceipt({ status }: Pick<Order, "status">): boolean {
  return status === "completed" || status === "refunded";
}

/** When the swap ended or, if the exchange does not return that, when the order last changed. */
export function toFinishedAt({ finished_at, updated_at }: Pick<Order, "finished_at" | "updated_at">): string {
  return finished_at ?? updated_at;
}

/** What was swapped, if it is not all that was sent, what was received for it, the rate and the fee. */
function toPriceRows(order: Order, style: NumberStyle): AmountRow[] {
  const { source_asset_symbol: source, target_asset_symbol: target, source_amount: swapped } = order;
  return [
    ...(swapped === toReceived(order) ? [] : [{ term: "Swapped", value: formatExactMoney(swapped, source, style) }]),
    // If a reorg has removed the payout, nothing has been received until it is made again.
    ...(listConfirmed(order, "payout").length === 0
      ? []
      : [{ term: "You received", value: formatExactMoney(order.target_amount, target, style) }]),
    { term: "Rate", value: `1 ${source} = ${formatDecimalText(order.exchange_rate, style)} ${target}` },
    {
      term: "Fee, included in what you sent",
      value: formatExactMoney(order.fee_amount, order.fee_asset_symbol, style),
    },
  ];
}

/** How many deposits a list of an order's payments leaves out. Null if it has all of them. */
export function toMoreDepositsText(order: Order): string | null {
  const more = countMoreDeposits(order);
  if (more === 0) return null;
  return more === 1
    ? "And one smaller payment from you, which counts too."
    : `And ${more} smaller payments from you, which count too.`;
}

/** The confirmed payments for a purpose, which the customer certainly has. Others may still be waiting to be sent. */
export function listConfirmed(
  { outgoing_txs }: Pick<Order, "outgoing_txs">,
  purpose: Transaction["purpose"],
): Transaction[] {
  return outgoing_txs.filter((tx) => tx.purpose === purpose && tx.status === "confirmed");
}

/** What was deducted from refunds to cover network fees, as a decimal. */
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
