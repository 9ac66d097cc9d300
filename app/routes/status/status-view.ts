import type { Status, StatusHistory } from "~/api/contract";
import { dayMs, formatDuration } from "~/lib/durations";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { toChainText, toPastPauseText, toSwapsText } from "~/lib/pause-reasons";

/** `level` of a day: not recorded, swaps accepted all day, or interrupted. */
export type DayView = { date: string; level: "unknown" | "good" | "interrupted" };
export type IncidentView = { from: string; isOver: boolean; reason: string; duration: string };

export type StatusView = {
  isOpen: boolean;
  label: string;
  chains: { name: string; isOk: boolean; text: string }[];
  /** How much of the recorded time swaps were accepted: "99.95%". */
  share: string;
  since: string;
  /** 30 days in UTC, oldest first. */
  days: DayView[];
  incidents: IncidentView[];
};

const days = 30;

export function toStatusView(status: Status, history: StatusHistory, style: NumberStyle, now: Date): StatusView {
  const spans = history.interruptions.map(({ reason, from, to }) => ({
    reason,
    from: Date.parse(from),
    to: to === null ? now.getTime() : Date.parse(to),
    isOver: to !== null,
  }));
  const since = Date.parse(history.since);
  const recorded = Math.max(1, now.getTime() - since);
  const lost = spans.reduce((sum, { from, to }) => sum + (to - from), 0);
  // Rounded down, so that 100% means all of it.
  const share = Math.floor(Math.max(0, 1 - lost / recorded) * 10_000) / 100;
  return {
    isOpen: status.accepting_swaps,
    label: toSwapsText(status),
    chains: [toChain("Ethereum (USDT)", status.chains.ethereum), toChain("MobileCoin (MOB)", status.chains.mobilecoin)],
    share: `${formatDecimalText(String(share), style)}%`,
    since: history.since,
    days: toDays(spans, since, now),
    incidents: spans.map(({ reason, from, to, isOver }) => ({
      from: new Date(from).toISOString(),
      isOver,
      reason: toPastPauseText(reason),
      duration: formatDuration(to - from),
    })),
  };
}

function toChain(name: string, chain: Status["chains"]["ethereum"]): StatusView["chains"][number] {
  return { name, isOk: chain.ok, text: toChainText(chain) };
}

function toDays(spans: readonly { from: number; to: number }[], since: number, now: Date): DayView[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return Array.from({ length: days }, (_, at) => {
    const start = today - (days - 1 - at) * dayMs;
    const end = start + dayMs;
    const lost = spans.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0);
    const level = lost > 0 ? "interrupted" : end <= since ? "unknown" : "good";
    return { date: new Date(start).toISOString().slice(0, 10), level };
  });
}
