import type { Rates, Status } from "~/api/contract";
import { formatDuration } from "~/lib/durations";
import { formatBps } from "~/lib/format-bps";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { toChainText, toSwapsText } from "~/lib/pause-reasons";
import { coversMost, isRateRange, type RateRange } from "~/lib/rate-ranges";
import { formatChange, formatRate } from "~/lib/shown-amount";
import { type Chart, toChart } from "./chart";

export const rangeNames = {
  "1h": "1 hour",
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
} as const satisfies Record<RateRange, string>;

export type ChainView = { name: string; status: string; height: string | null; ok: boolean };

/** What the page shows, formatted. It is the same for everyone. */
export type RatesView = {
  /** Null while no reliable rate is known. */
  price: { mobUsdt: string; usdtMob: string } | null;
  updatedAt: string | null;
  chart: Chart | null;
  /** "up 0.53%" since the chart's first point. */
  change: string | null;
  /** The time of the chart's first point, if the history is shorter than the range. */
  since: string | null;
  terms: { name: string; value: string }[];
  status: { open: boolean; label: string };
  chains: ChainView[];
};

/** An invalid range falls back to 24 hours. */
export function parseRange(params: URLSearchParams): RateRange {
  const value = params.get("range");
  return value !== null && isRateRange(value) ? value : "24h";
}

export function toRatesView(rates: Rates, status: Status, range: RateRange, style: NumberStyle): RatesView {
  const chart = toChart(rates.history, style);
  return {
    price: rates.rates && {
      mobUsdt: formatRate(rates.rates.MOB_USDT, style),
      usdtMob: formatRate(rates.rates.USDT_MOB, style),
    },
    updatedAt: rates.updated_at,
    chart,
    change: chart && toChange(chart, style),
    since: chart && toSince(chart, range),
    terms: toTerms(rates, style),
    status: { open: status.accepting_swaps, label: toSwapsText(status) },
    chains: [
      toChain("Ethereum", status.chains.ethereum, style),
      toChain("MobileCoin", status.chains.mobilecoin, style),
    ],
  };
}

function toTerms(rates: Rates, style: NumberStyle): RatesView["terms"] {
  const show = (amount: string) => formatDecimalText(amount, style);
  const { limits, payout_cost: cost, confirmations } = rates;
  return [
    { name: "Swap size", value: `${show(limits.min_usdt)} to ${show(limits.max_usdt)} USDT` },
    { name: "Our fee", value: `${formatBps(rates.fee_bps, style)}, but at least the network fee for the payout` },
    { name: "Network fee for the payout", value: `${show(cost.USDT)} USDT or ${show(cost.MOB)} MOB` },
    {
      name: "Confirmations required",
      value: `${confirmations.USDT} for USDT, ${confirmations.MOB} for MOB`,
    },
    {
      name: "Price valid for",
      value: `${formatDuration(rates.quote_ttl_seconds * 1000)}, or ${formatDuration(rates.lock_ttl_seconds * 1000)} once locked`,
    },
  ];
}

/** The relative change from the first to the last point of the chart. */
function toChange({ first, last }: Chart, style: NumberStyle): string {
  return formatChange(Number(last.rate) / Number(first.rate) - 1, style);
}

function toSince({ first, last }: Chart, range: RateRange): string | null {
  return coversMost(range, Date.parse(last.at) - Date.parse(first.at)) ? null : first.at;
}

function toChain(name: string, chain: Status["chains"]["ethereum"], style: NumberStyle): ChainView {
  return {
    name,
    status: toChainText(chain),
    height: chain.height === null ? null : formatDecimalText(String(chain.height), style),
    ok: chain.ok,
  };
}
