import type { Rates } from "~/api/contract";
import { showBps } from "~/components/board/show-bps";
import { toDurationWords } from "~/lib/durations";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";

/** The exchange's own numbers, as the welcome pages say them. */
export type Terms = {
  fee: string;
  least: string;
  most: string;
  quoteHolds: string;
  lockHolds: string;
  grace: string;
};

export function toTerms(rates: Rates, style: NumberStyle): Terms {
  return {
    fee: showBps(rates.fee_bps, style),
    least: formatDecimalText(rates.limits.min_usdt, style),
    most: formatDecimalText(rates.limits.max_usdt, style),
    quoteHolds: toDurationWords(rates.quote_ttl_seconds * 1000),
    lockHolds: toDurationWords(rates.lock_ttl_seconds * 1000),
    grace: toDurationWords(rates.grace_seconds * 1000),
  };
}
