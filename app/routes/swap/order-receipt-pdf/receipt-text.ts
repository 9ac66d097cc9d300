import type { Order, Transaction } from "~/api/contract";
import { formatDateTime } from "~/components/locale/date-time";
import { toReceived, toUnsentRefund } from "~/components/order/order-sums";
import type { Locale } from "~/lib/locale";
import { formatDecimalText, type NumberStyle, plainNumberStyle } from "~/lib/number-style";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { formatExactMoney } from "~/lib/shown-amount";

type Row = { name: string; value: string };

/** What a PDF receipt says, in the order in which it is read. */
export type ReceiptText = {
  title: string;
  rows: Row[];
  /** Who received what was sent out. Null if nothing was. */
  receiver: Row | null;
  payments: { title: string; at: string; hash: string | null }[];
  footer: string;
};

/** Says the same as the printed receipt. Dates are in English, because the file's font has Latin letters only. */
export function toReceiptText(
  order: Order,
  { numbers, timeZone }: Locale,
  { origin, now }: { origin: string; now: Date },
): ReceiptText {
  const style = toLatin(numbers);
  const toTime = (at: string) =>
    formatDateTime(at, { tag: "en-GB", zone: timeZone ?? "UTC", show: "day-time-and-zone" });
  const isCompleted = order.status === "completed";
  const number = toOrderNumber(order.quote_id);
  return {
    title: `Receipt from Antelope, swap ${number}`,
    rows: [
      { name: "Swap", value: number },
      { name: "Order", value: order.id },
      { name: "Price locked", value: toTime(order.created_at) },
      { name: "Finished", value: toTime(order.updated_at) },
      { name: "Sent", value: formatExactMoney(toReceived(order), order.source_asset_symbol, style) },
      ...(isCompleted ? toPriceRows(order, style) : []),
    ],
    receiver: toUnsentRefund(order)
      ? null
      : {
          name: isCompleted ? "Paid out to" : "Refunded to",
          value: isCompleted ? order.delivery_address : order.refund_address,
        },
    payments: [...order.incoming_txs, ...order.outgoing_txs]
      .filter(({ status }) => status !== "failed")
      .map((payment) => ({
        title: `${names[payment.purpose]} ${formatExactMoney(payment.amount, payment.asset_symbol, style)}`,
        at: toTime(payment.created_at),
        hash: payment.hash,
      })),
    footer: `Issued on ${toTime(now.toISOString())}. ${origin}${paths.quote(order.quote_id)}`,
  };
}

const names: Record<Transaction["purpose"], string> = {
  deposit: "You sent",
  payout: "Paid to you",
  refund: "Refunded to you",
};

/** The rate and the fee, which apply only to a completed swap. */
function toPriceRows(order: Order, style: NumberStyle): Row[] {
  const { source_asset_symbol: source, target_asset_symbol: target } = order;
  return [
    { name: "Received", value: formatExactMoney(order.target_amount, target, style) },
    { name: "Rate", value: `1 ${source} = ${formatDecimalText(order.exchange_rate, style)} ${target}` },
    {
      name: "Fee, included in what you sent",
      value: formatExactMoney(order.fee_amount, order.fee_asset_symbol, style),
    },
  ];
}

/** The style, if the standard fonts of PDF have its separators. French uses a space that they lack. */
function toLatin(style: NumberStyle): NumberStyle {
  const group = style.group.replace("\u202f", "\u00a0");
  return /^[\x20-\x7e\u00a0\u2019]*$/.test(style.decimal + group) ? { ...style, group } : plainNumberStyle;
}
