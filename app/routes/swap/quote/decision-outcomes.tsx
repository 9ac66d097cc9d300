import type { CurrentRates, Order, Quote } from "~/api/contract";
import { Money } from "~/components/locale/money";
import { toFeeRow } from "~/components/order/fee-row";
import { toReceived } from "~/components/order/order-sums";
import { describeFee } from "~/lib/fee";
import { parseAmount } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import { type Priced, toPricedPair } from "~/lib/priced-pair";
import { toPriceTerms } from "~/lib/published-rates";
import { formatExactMoney, formatRate } from "~/lib/shown-amount";
import type { DataRow } from "~/ui/data-list";

/** The result of swapping the received amount at the locked rate, as far as the exchange states it. */
export function toAcceptedRows(order: Order, rates: CurrentRates, style: NumberStyle): DataRow[] {
  const accept = order.decision?.accept;
  if (!accept) return [toRateRow(order, style)];
  return toSwapRows({ ...order, ...accept, source_amount: toReceived(order) }, rates, style);
}

/** The result of a swap at the stated amounts, such as those of an offer. */
export function toSwapRows(
  swap: Priced & Pick<Quote, "source_amount" | "target_amount" | "fee_amount">,
  rates: CurrentRates,
  style: NumberStyle,
): DataRow[] {
  const { source_asset_symbol: source, target_asset_symbol: target } = swap;
  const sourceAmount = parseAmount(swap.source_amount, source);
  const feeAmount = parseAmount(swap.fee_amount, source);
  const fee = describeFee({ sourceAmount, feeAmount }, toPricedPair(swap), toPriceTerms(rates), style);
  return [
    { key: "amount", term: "You receive", value: <Money amount={swap.target_amount} asset={target} /> },
    toFeeRow(fee, swap.fee_amount, source, style),
    toRateRow(swap, style),
  ];
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

function toRateRow({ source_asset_symbol, target_asset_symbol, exchange_rate }: Priced, style: NumberStyle): DataRow {
  const rate = formatRate(exchange_rate, style);
  return { key: "rate", term: "Rate", value: `1 ${source_asset_symbol} = ${rate} ${target_asset_symbol}` };
}
