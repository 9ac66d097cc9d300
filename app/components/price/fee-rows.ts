/** The rows of a list that say what a swap costs. */
import { describeFee } from "~/lib/fee";
import { formatAmount, formatDecimal, type Pair, RATE_DECIMALS } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import type { Price } from "~/lib/price";
import { type PublishedRates, toPriceTerms } from "~/lib/published-rates";
import { formatFee, formatRate } from "~/lib/shown-amount";
import type { DataRow } from "~/ui/data-list";

export const networkFeeRow: DataRow = { key: "network", term: "Network fee for the payout", value: "included" };

export function toRateRow({ source, target, rate }: Pair, style: NumberStyle): DataRow {
  const shown = formatRate(formatDecimal(rate, RATE_DECIMALS), style);
  return { key: "rate", term: "Rate", value: `1 ${source} = ${shown} ${target}` };
}

/**
 * The fee, its share of what is sent and, if that is more than the usual percentage, the reason.
 * @param price a price at the pair's rate
 */
export function toFeeRow(
  price: Pick<Price, "sourceAmount" | "feeAmount">,
  pair: Pair,
  rates: PublishedRates,
  style: NumberStyle,
): { fee: DataRow; feeExplanation: string | null } {
  const { name, percent, explanation } = describeFee(price, pair, toPriceTerms(rates), style);
  const amount = formatFee(formatAmount(price.feeAmount, pair.source), pair.source, style);
  return {
    fee: { key: "fee", term: `${name}, included`, value: `${amount} (${percent})` },
    feeExplanation: explanation,
  };
}
