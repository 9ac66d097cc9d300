import type { CurrentRates } from "~/api/contract";
import { type AssetSymbol, otherAsset } from "~/lib/assets";
import { formatConfirmations, formatConfirmationTime, formatDuration, formatSwapTime } from "~/lib/durations";
import { describeFee } from "~/lib/fee";
import { finalityTime } from "~/lib/finality-time";
import { formatBps } from "~/lib/format-bps";
import { formatAmount, parseAmount } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { findPriceProblem, toPrice, toSourceLimits } from "~/lib/price";
import { toPair, toPriceTerms } from "~/lib/published-rates";
import { formatFee, formatMoney, toRoughAmount } from "~/lib/shown-amount";

export type FeeExample = { send: string; fee: string; percent: string; receive: string };
type Row = { term: string; value: string };
/** What the page shows, formatted. `examples` are empty while there is no reliable rate. */
export type FeesView = {
  fee: string;
  payoutCosts: string;
  /** Null if a refund costs nothing. */
  refundCosts: string | null;
  examples: FeeExample[];
  limits: Row[];
  times: Row[];
};

/** Amounts of each coin that show the minimum fee and the percentage. */
const exampleAmounts: Record<AssetSymbol, readonly string[]> = {
  USDT: ["25", "250", "2500"],
  MOB: ["50", "700", "7000"],
};

export function toFeesView(rates: CurrentRates, style: NumberStyle): FeesView {
  const show = (amount: string, asset: AssetSymbol) => `${formatDecimalText(amount, style)}\u00a0${asset}`;
  const { limits, confirmations, payout_cost: payout, refund_cost: refund } = rates;
  const isFree = parseAmount(refund.USDT, "USDT") === 0n && parseAmount(refund.MOB, "MOB") === 0n;
  return {
    fee: formatBps(rates.fee_bps, style),
    payoutCosts: `${show(payout.MOB, "MOB")} or ${show(payout.USDT, "USDT")}`,
    refundCosts: isFree ? null : `${show(refund.USDT, "USDT")} or ${show(refund.MOB, "MOB")}`,
    examples: (["USDT", "MOB"] as const).flatMap((source) => toExamples(source, rates, style)),
    limits: [
      { term: "Smallest swap", value: `worth ${show(limits.min_usdt, "USDT")}` },
      { term: "Largest swap", value: `worth ${show(limits.max_usdt, "USDT")}` },
      ...toMobLimits(rates, style),
    ],
    times: [
      { term: "A price is valid for", value: formatDuration(rates.quote_ttl_seconds * 1000) },
      { term: "Time to pay once locked", value: formatDuration(rates.lock_ttl_seconds * 1000) },
      {
        term: `USDT is credited after ${formatConfirmations(confirmations.USDT)}`,
        value: formatConfirmationTime("ethereum", confirmations.USDT),
      },
      { term: "A swap of USDT usually takes", value: formatSwapTime("ethereum", confirmations.USDT) },
      { term: "A large swap of USDT can take", value: finalityTime },
      { term: "A swap of MOB usually takes", value: formatSwapTime("mobilecoin", confirmations.MOB) },
    ],
  };
}

function toExamples(source: AssetSymbol, rates: CurrentRates, style: NumberStyle): FeeExample[] {
  const target = otherAsset(source);
  const pair = toPair({ source, target }, rates);
  if (pair === null) return [];
  const terms = toPriceTerms(rates);
  return exampleAmounts[source].flatMap((text) => {
    const price = toPrice({ side: "source", amount: parseAmount(text, source) }, pair, terms);
    if (findPriceProblem(price, pair, terms)) return [];
    return [
      {
        send: formatMoney(text, source, style),
        fee: formatFee(formatAmount(price.feeAmount, source), source, style),
        percent: describeFee(price, pair, terms, style).percent,
        receive: formatMoney(toRoughAmount(price.targetAmount, target), target, style),
      },
    ];
  });
}

/** The limits in MOB at the current rate, in whole coins within them. */
function toMobLimits(rates: CurrentRates, style: NumberStyle): Row[] {
  const pair = toPair({ source: "MOB", target: "USDT" }, rates);
  if (pair === null) return [];
  const { min, max } = toSourceLimits(pair, toPriceTerms(rates));
  const whole = 10n ** 12n;
  const show = (coins: bigint) => formatDecimalText(String(coins), style);
  return [
    { term: "In MOB, at the current rate", value: `${show((min + whole - 1n) / whole)} to ${show(max / whole)} MOB` },
  ];
}
