import type { CurrentRates } from "~/api/contract";
import { toFeeRow, toRateRow } from "~/components/price/fee-rows";
import { type AssetSymbol, assets } from "~/lib/assets";
import { formatSwapTime } from "~/lib/durations";
import { formatBps } from "~/lib/format-bps";
import type { Pair } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import type { Price } from "~/lib/price";
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
  const usual = { fee: { key: "fee", term: "Fee", value: formatBps(rates.fee_bps, numbers) }, feeExplanation: null };
  return {
    rate: pair ? toRateRow(pair, numbers) : { key: "rate", term: "Rate", value: "unavailable right now" },
    ...(pair && price ? toFeeRow(price, pair, rates, numbers) : usual),
    arrival: {
      key: "when",
      term: "Arrives",
      value: `${formatSwapTime(assets[source].network, rates.confirmations[source])} after you pay`,
    },
  };
}
