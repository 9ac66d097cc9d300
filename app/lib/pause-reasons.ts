/** Why new swaps are not accepted, by the reason codes of `/api/status` and its history. */
const pauseReasons = new Map([
  ["stopped_by_operator", "Paused by our team"],
  ["payments_halted", "Paused while we check payments"],
  ["ethereum_out_of_reach", "Paused: Ethereum is unavailable"],
  ["mobilecoin_out_of_reach", "Paused: MobileCoin is unavailable"],
  ["ethereum_payments_blocked", "Paused: we can't send USDT right now"],
  ["mobilecoin_payments_blocked", "Paused: we can't send MOB right now"],
  ["rate_unknown", "Paused: no reliable price right now"],
  ["not_running", "Paused: our exchange isn't running"],
]);

/** The state of swaps now, in a few words. */
export function toPauseText(reason: string | null): string {
  return (reason !== null && pauseReasons.get(reason)) || "No new swaps right now";
}

const pastReasons = new Map([
  ["stopped_by_operator", "Our team paused swaps"],
  ["payments_halted", "We checked payments"],
  ["ethereum_out_of_reach", "Ethereum was unavailable"],
  ["mobilecoin_out_of_reach", "MobileCoin was unavailable"],
  ["ethereum_payments_blocked", "We couldn't send USDT"],
  ["mobilecoin_payments_blocked", "We couldn't send MOB"],
  ["rate_unknown", "There was no reliable price"],
  ["not_running", "Our exchange wasn't running"],
]);

/** Why swaps were not accepted at an earlier time. */
export function toPastPauseText(reason: string): string {
  return pastReasons.get(reason) ?? "Swaps were paused";
}
