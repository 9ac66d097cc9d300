import type { Order, Transaction } from "~/api/contract";
import { formatDateTime } from "~/lib/format-date-time";
import type { Locale } from "~/lib/locale";
import { type NumberStyle, plainNumberStyle } from "~/lib/number-style";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { formatExactMoney } from "~/lib/shown-amount";
import {
  addressNames,
  paymentNames,
  toAddress,
  toAmountRows,
  toFinishedAt,
  toMoreDepositsText,
  toPaidAt,
} from "~/swaps/receipt-parts";

type Row = { name: string; value: string };

/** What a PDF receipt says, in the order in which it is read. */
export type ReceiptText = {
  title: string;
  rows: Row[];
  /** `details`: its address and its hash. */
  payments: { title: string; when: string; details: Row[] }[];
  /** How many payments are not listed. Null if all are. */
  morePayments: string | null;
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
  const number = toOrderNumber(order.quote_id);
  return {
    title: `Receipt from Antelope, swap ${number}`,
    rows: [
      { name: "Swap number", value: number },
      { name: "Swap ID", value: order.id },
      { name: "Price locked", value: toTime(order.created_at) },
      { name: "Finished", value: toTime(toFinishedAt(order)) },
      ...toAmountRows(order, style).map(({ term, value }) => ({ name: term, value })),
    ],
    payments: [...order.incoming_txs, ...order.outgoing_txs]
      .filter(({ status }) => status !== "failed")
      .map((payment) => ({
        title: `${paymentNames[payment.purpose]} ${formatExactMoney(payment.amount, payment.asset_symbol, style)}`,
        when: toWhen(payment, toTime),
        details: toDetails(order, payment),
      })),
    morePayments: toMoreDepositsText(order),
    footer: `Issued on ${toTime(now.toISOString())}. ${origin}${paths.quote(order.quote_id)}`,
  };
}

function toDetails(order: Order, payment: Transaction): Row[] {
  return [
    { name: addressNames[payment.purpose], value: toAddress(order, payment) },
    ...(payment.hash === null ? [] : [{ name: "Transaction", value: payment.hash }]),
  ];
}

/** Says when a payment was made, or that it is not sent or not confirmed yet. */
function toWhen(payment: Transaction, toTime: (at: string) => string): string {
  const paidAt = toTime(toPaidAt(payment));
  if (payment.status === "confirmed") return paidAt;
  return payment.hash === null ? "Not sent yet" : `${paidAt}, not confirmed yet`;
}

/** The style, if PDF's standard fonts have its separators. French uses a space that they lack. */
function toLatin(style: NumberStyle): NumberStyle {
  const group = style.group.replace("\u202f", "\u00a0");
  return /^[\x20-\x7e\u00a0\u2019]*$/.test(style.decimal + group) ? { ...style, group } : plainNumberStyle;
}
