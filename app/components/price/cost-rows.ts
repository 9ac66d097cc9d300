import type { CurrentRates } from "~/api/contract";
import { toFeeRow } from "~/components/order/fee-row";
import { type AssetSymbol, assets } from "~/lib/assets";
import { formatSwapTime } from "~/lib/durations";
import { describeFee } from "~/lib/fee";
import { formatBps } from "~/lib/format-bps";
import { formatAmount, formatDecimal, type Pair, RATE_DECIMALS } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import type { Price } from "~/lib/price";
import { toPriceTerms } from "~/lib/published-rates";
import { formatRate } from "~/lib/shown-amount";
import type { DataRow } from "~/ui/data-list";

type CostRows = {
  rate: DataRow;
  fee: DataRow;
  arrival: DataRow;
  /** Why the fee is more than the usual percentage, if it is. */
  feeExplanation: string | null;
};

/**
 * What a swap costs and when it arrives, as rows of a list.
 *
 * @param pair null while no rate is available
 * @param price null until the visitor enters an amount: the fee row then shows the usual percentage
 */
export function toCostRows(
  source: AssetSymbol,
  { pair, price, rates }: { pair: Pair | null; price: Price | null; rates: CurrentRates },
  numbers: NumberStyle,
): CostRows {
  const fee = pair && price && describeFee(price, pair, toPriceTerms(rates), numbers);
  return {
    rate: { key: "rate", term: "Rate", value: pair ? formatPair(pair, numbers) : "unavailable right now" },
    fee:
      fee && price
        ? toFeeRow(fee, formatAmount(price.feeAmount, source), source, numbers)
        : { key: "fee", term: "Fee", value: formatBps(rates.fee_bps, numbers) },
    arrival: {
      key: "when",
      term: "Arrives",
      value: `${formatSwapTime(assets[source].network, rates.confirmations[source])} after you pay`,
    },
    feeExplanation: fee ? fee.explanation : null,
  };
}

function formatPair({ source, target, rate }: Pair, numbers: NumberStyle): string {
  return `1 ${source} = ${formatRate(formatDecimal(rate, RATE_DECIMALS), numbers)} ${target}`;
}
