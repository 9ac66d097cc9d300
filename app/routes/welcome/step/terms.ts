import type { CurrentRates } from "~/api/contract";
import { formatDuration } from "~/lib/durations";
import { formatBps } from "~/lib/format-bps";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";

/** The exchange's current terms, formatted for the welcome pages. */
export type Terms = {
  fee: string;
  minAmount: string;
  maxAmount: string;
  quoteValidity: string;
  lockDuration: string;
  grace: string;
};

export function toTerms(rates: CurrentRates, style: NumberStyle): Terms {
  return {
    fee: formatBps(rates.fee_bps, style),
    minAmount: formatDecimalText(rates.limits.min_usdt, style),
    maxAmount: formatDecimalText(rates.limits.max_usdt, style),
    quoteValidity: formatDuration(rates.quote_ttl_seconds * 1000),
    lockDuration: formatDuration(rates.lock_ttl_seconds * 1000),
    grace: formatDuration(rates.grace_seconds * 1000),
  };
}
