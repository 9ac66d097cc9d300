/** Time that is left, in words and figures. */

/** "0:42", "24:31", "3:05:09"; never below zero. */
export function toClockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** "42 seconds", "3 minutes", "5 hours", "3 days": the two that say most are said, rounded up. */
export function toDurationWords(ms: number): string {
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

/** A block of Ethereum; MobileCoin's are final when they come. */
const ethereumBlockSeconds = 12;

/** What a wallet and the payout take beside the confirmations. */
const swapOverheadSeconds = 45;

/** How long a swap takes from the payment on, as words: "about 2 minutes". */
export function toSwapTimeWords(network: "ethereum" | "mobilecoin", confirmations: number): string {
  const blocks = network === "mobilecoin" ? confirmations : confirmations * ethereumBlockSeconds;
  return `about ${count(Math.ceil((blocks + swapOverheadSeconds) / 60), "minute")}`;
}

/** How long confirmations take, as words: "about 36 seconds". */
export function toConfirmationWords(network: "ethereum" | "mobilecoin", confirmations: number): string {
  if (network === "mobilecoin") return "a few seconds";
  return `about ${toDurationWords(confirmations * ethereumBlockSeconds * 1000)}`;
}
