import type { RateRange, Rates, Status } from "~/api/contract";
import { toDurationWords } from "~/lib/durations";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { type Chart, showRate, toChart } from "./chart";
import { showBps } from "./show-bps";

/** The ranges of the board, first the one that is shown unasked. */
export const boardRanges = {
  "24h": { name: "24 hours", tells: "hour" },
  "1h": { name: "1 hour", tells: "hour" },
  "7d": { name: "7 days", tells: "day" },
  "30d": { name: "30 days", tells: "day" },
} as const satisfies Record<RateRange, { name: string; tells: "hour" | "day" }>;

export type ChainLine = { name: string; words: string; height: string | null; ok: boolean };

/** What stands on the board, in words and figures; of nobody's account. */
export type Board = {
  /** Null while no trustworthy rate is known. */
  price: { mobUsdt: string; usdtMob: string } | null;
  updatedAt: string | null;
  chart: Chart | null;
  /** "up 0.53 %" over the range. */
  change: string | null;
  facts: { name: string; value: string }[];
  status: { open: boolean; words: string };
  chains: ChainLine[];
};

/** Anything else than one of the ranges is dropped. */
export function parseRange(params: URLSearchParams): RateRange {
  const value = params.get("range");
  return value !== null && Object.hasOwn(boardRanges, value) ? (value as RateRange) : "24h";
}

export function toBoard(rates: Rates, status: Status, style: NumberStyle): Board {
  const chart = toChart(rates.history, style);
  return {
    price: rates.rates && {
      mobUsdt: showRate(rates.rates.MOB_USDT, style),
      usdtMob: showRate(rates.rates.USDT_MOB, style),
    },
    updatedAt: rates.updated_at,
    chart,
    change: chart && toChange(chart, style),
    facts: toFacts(rates, style),
    status: { open: status.accepting_swaps, words: toStatusWords(status) },
    chains: [
      toChain("Ethereum", status.chains.ethereum, style),
      toChain("MobileCoin", status.chains.mobilecoin, style),
    ],
  };
}

function toFacts(rates: Rates, style: NumberStyle): Board["facts"] {
  const show = (amount: string) => formatDecimalText(amount, style);
  const { limits, payout_cost: cost, confirmations } = rates;
  return [
    { name: "A swap is worth", value: `${show(limits.min_usdt)} to ${show(limits.max_usdt)} USDT` },
    { name: "Our fee", value: `${showBps(rates.fee_bps, style)}, at least the payout's cost` },
    { name: "A payout costs", value: `${show(cost.USDT)} USDT or ${show(cost.MOB)} MOB` },
    {
      name: "Confirmations we wait for",
      value: `${confirmations.USDT} for USDT, ${confirmations.MOB} for MOB`,
    },
    {
      name: "A price holds",
      value: `${toDurationWords(rates.quote_ttl_seconds * 1000)}, locked ${toDurationWords(rates.lock_ttl_seconds * 1000)}`,
    },
  ];
}

/** From the first to the last point of the drawing; two digits, since it is looked at and not paid. */
function toChange({ first, last }: Chart, style: NumberStyle): string {
  const share = Number(last.rate) / Number(first.rate) - 1;
  const words = `${formatDecimalText(Math.abs(share * 100).toFixed(2), style)} %`;
  if (Math.abs(share) < 0.00005) return "unchanged";
  return share > 0 ? `up ${words}` : `down ${words}`;
}

const stopWords = new Map([
  ["stopped_by_operator", "Paused by us"],
  ["payments_halted", "Paused while we check payments"],
  ["ethereum_out_of_reach", "Paused: Ethereum is out of reach"],
  ["mobilecoin_out_of_reach", "Paused: MobileCoin is out of reach"],
  ["ethereum_payments_blocked", "Paused: USDT cannot be sent right now"],
  ["mobilecoin_payments_blocked", "Paused: MOB cannot be sent right now"],
  ["rate_unknown", "Paused: no trustworthy price right now"],
]);

function toStatusWords({ accepting_swaps, reason }: Status): string {
  if (accepting_swaps) return "Open for swaps";
  return (reason !== null && stopWords.get(reason)) || "No new swaps right now";
}

function toChain(name: string, chain: Status["chains"]["ethereum"], style: NumberStyle): ChainLine {
  return {
    name,
    words: chain.ok ? "running" : chain.synced ? "cannot be paid on right now" : "catching up",
    height: chain.height === null ? null : formatDecimalText(String(chain.height), style),
    ok: chain.ok,
  };
}
