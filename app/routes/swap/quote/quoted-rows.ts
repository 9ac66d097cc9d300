import type { CurrentRates, Quote } from "~/api/contract";
import { toFeeRow, toRateRow } from "~/components/price/fee-rows";
import { parseAmount } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import { type PricedEntity, toPricedPair } from "~/lib/priced-pair";

export type Quoted = PricedEntity & Pick<Quote, "source_amount" | "fee_amount">;

/** The rate and the fee that the exchange has stated, as rows of a list. */
export function toQuotedRows(swap: Quoted, rates: CurrentRates, style: NumberStyle) {
  const pair = toPricedPair(swap);
  const sourceAmount = parseAmount(swap.source_amount, pair.source);
  const feeAmount = parseAmount(swap.fee_amount, pair.source);
  return { rate: toRateRow(pair, style), ...toFeeRow({ sourceAmount, feeAmount }, pair, rates, style) };
}
