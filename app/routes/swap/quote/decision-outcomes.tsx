import type { CurrentRates, Order, Quote } from "~/api/contract";
import { Money } from "~/components/locale/money";
import { toFeeRow } from "~/components/order/fee-row";
import { toReceived } from "~/components/order/order-sums";
import { describeFee } from "~/lib/fee";
import { formatAmount, parseAmount } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import { toPrice } from "~/lib/price";
import { type Priced, toPricedPair } from "~/lib/priced-pair";
import { toPriceTerms } from "~/lib/published-rates";
import { formatExactMoney, formatRate } from "~/lib/shown-amount";
import type { DataRow } from "~/ui/data-list";

/** The result of swapping the received amount at the locked rate, calculated as in the exchange, fee included. */
export function toAcceptedRows(order: Order, rates: CurrentRates, style: NumberStyle): DataRow[] {
  const received = parseAmount(toReceived(order), order.source_asset_symbol);
  const price = toPrice({ side: "source", amount: received }, toPricedPair(order), toPriceTerms(rates));
  return toRows(order, price, rates, style);
}

/** The result of an offer for the received amount. */
export function toOfferRows(offer: Quote, rates: CurrentRates, style: NumberStyle): DataRow[] {
  const { source_asset_symbol: source, target_asset_symbol: target } = offer;
  const price = {
    sourceAmount: parseAmount(offer.source_amount, source),
    feeAmount: parseAmount(offer.fee_amount, source),
    targetAmount: parseAmount(offer.target_amount, target),
  };
  return toRows(offer, price, rates, style);
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

function toRows(
  priced: Priced,
  price: { sourceAmount: bigint; feeAmount: bigint; targetAmount: bigint },
  rates: CurrentRates,
  style: NumberStyle,
): DataRow[] {
  const { source_asset_symbol: source, target_asset_symbol: target } = priced;
  const fee = describeFee(price, toPricedPair(priced), toPriceTerms(rates), style);
  return [
    {
      key: "amount",
      term: "You receive",
      value: <Money amount={formatAmount(price.targetAmount, target)} asset={target} />,
    },
    toFeeRow(fee, formatAmount(price.feeAmount, source), source, style),
    { key: "rate", term: "Rate", value: `1 ${source} = ${formatRate(priced.exchange_rate, style)} ${target}` },
  ];
}
