/** Durations, and their texts. */
import type { Network } from "./assets";

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const yearSeconds = 365 * 24 * 60 * 60;

/** The time `ms` milliseconds after another. */
export function addMs(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}

/** The later of two times, each of which may be null. */
export function laterOf(a: Date | null, b: Date): Date;
export function laterOf(a: Date | null, b: Date | null): Date | null;
export function laterOf(a: Date | null, b: Date | null): Date | null {
  return a !== null && b !== null && a > b ? a : (b ?? a);
}

/** The earlier of two times, the first of which may be null. */
export function earlierOf(a: Date | null, b: Date): Date {
  return a !== null && a < b ? a : b;
}

/** As on a clock: "0:42", "24:31", "3:05:09". Never negative. */
export function toClockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** As "42 seconds", "3 minutes", "5 hours" or "3 days", rounded up. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 100) return count(seconds, "second");
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 100) return count(minutes, "minute");
  const hours = Math.ceil(minutes / 60);
  return hours < 49 ? count(hours, "hour") : count(Math.ceil(hours / 24), "day");
}

function count(n: number, unit: string): string {
  return `${n} ${unit}${n === 1 ? "" : "s"}`;
}

/** Average time between Ethereum blocks. */
const ethereumBlockSeconds = 12;

/** Time for the wallet and the payout, besides the confirmations. */
const swapOverheadSeconds = 45;

/** How long a swap takes after the payment, such as "about 2 minutes". */
export function formatSwapTime(network: Network, confirmations: number): string {
  const blocks = network === "mobilecoin" ? confirmations : confirmations * ethereumBlockSeconds;
  return `about ${count(Math.ceil((blocks + swapOverheadSeconds) / 60), "minute")}`;
}

/** As "1 confirmation" or "12 confirmations". */
export function formatConfirmations(confirmations: number): string {
  return count(confirmations, "confirmation");
}

/** How long the confirmations take, such as "about 36 seconds". MobileCoin blocks are final. */
export function formatConfirmationTime(network: Network, confirmations: number): string {
  if (network === "mobilecoin") return "a few seconds";
  return `about ${formatDuration(confirmations * ethereumBlockSeconds * 1000)}`;
}
