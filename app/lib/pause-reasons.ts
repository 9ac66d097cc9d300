/** Why new swaps are not accepted, or were not at an earlier time, by the codes of `/api/status` and its history. */
const pauseReasons = {
  stopped_by_operator: { now: "Paused by our team", past: "Our team paused swaps" },
  payments_halted: { now: "Paused while we check payments", past: "We checked payments" },
  ethereum_out_of_reach: { now: "Paused: Ethereum is unavailable", past: "Ethereum was unavailable" },
  mobilecoin_out_of_reach: { now: "Paused: MobileCoin is unavailable", past: "MobileCoin was unavailable" },
  ethereum_payments_blocked: { now: "Paused: we can't send USDT right now", past: "We couldn't send USDT" },
  mobilecoin_payments_blocked: { now: "Paused: we can't send MOB right now", past: "We couldn't send MOB" },
  clocks_differ: { now: "Paused: one of our clocks is wrong", past: "One of our clocks was wrong" },
  rate_unknown: { now: "Paused: no reliable price right now", past: "There was no reliable price" },
  not_running: { now: "Paused: our exchange isn't running", past: "Our exchange wasn't running" },
} as const;

/** A code of `/api/status` for why new swaps are not accepted. */
export type PauseReason = keyof typeof pauseReasons;

/** Accepts any code, because another version of the exchange may send unknown ones. */
const texts = new Map<string, { now: string; past: string }>(Object.entries(pauseReasons));

/** Whether new swaps are possible now and, if not, why. */
export function toSwapsText({ accepting_swaps, reason }: { accepting_swaps: boolean; reason: string | null }): string {
  if (accepting_swaps) return "New swaps are possible";
  return texts.get(reason ?? "")?.now ?? "No new swaps right now";
}

/** The state of a chain now. It is not `synced` while we cannot read it, and not `ok` while we cannot pay on it. */
export function toChainText({ ok, synced }: { ok: boolean; synced: boolean }): string {
  if (!synced) return "Unavailable";
  return ok ? "Running" : "Can't send payouts right now";
}

/** Why swaps were not accepted at an earlier time. */
export function toPastPauseText(reason: string): string {
  return texts.get(reason)?.past ?? "Swaps were paused";
}
