import type { CurrentRates, Order, Quote } from "~/api/contract";
import { Money } from "~/components/locale/money";
import { toRateRow } from "~/components/price/fee-rows";
import type { NumberStyle } from "~/lib/number-style";
import { toPricedPair } from "~/lib/priced-pair";
import { formatExactMoney } from "~/lib/shown-amount";
import { toDecidedAmount } from "~/swaps/order-sums";
import type { DataRow } from "~/ui/data-list";
import { type Quoted, toQuotedRows } from "../quoted-rows";

/** The result of swapping the received amount at the locked rate, as far as the exchange states it. */
export function toAcceptedRows(order: Order, rates: CurrentRates, style: NumberStyle): DataRow[] {
  const accept = order.decision?.accept;
  if (!accept) return [toRateRow(toPricedPair(order), style)];
  return toSwapRows({ ...order, ...accept, source_amount: toDecidedAmount(order) }, rates, style);
}

/** The result of a swap at the stated amounts, such as an offer's. */
export function toSwapRows(
  swap: Quoted & Pick<Quote, "target_amount">,
  rates: CurrentRates,
  style: NumberStyle,
): DataRow[] {
  const { rate, fee } = toQuotedRows(swap, rates, style);
  const amount = <Money amount={swap.target_amount} asset={swap.target_asset_symbol} />;
  return [{ key: "amount", term: "You receive", value: amount }, fee, rate];
}

/** The result of sending everything back. */
export function toRefundRows(
  { source_asset_symbol: asset }: Pick<Order, "source_asset_symbol">,
  { cost, refund }: { cost: string; refund: string },
  style: NumberStyle,
): DataRow[] {
  return [
    { key: "amount", term: "You get back", value: formatExactMoney(refund, asset, style) },
    { key: "cost", term: "Network fee, deducted", value: cost === "0" ? "none" : formatExactMoney(cost, asset, style) },
  ];
}
