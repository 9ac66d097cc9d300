import type { AssetSymbol } from "../../lib/assets";
import { plainNumberStyle } from "../../lib/number-style";
import { formatExactly } from "../../lib/shown-amount";

/** All digits: "1,145.832121784872 MOB". */
export function toExactText(amount: string, asset: AssetSymbol): string {
  return `${formatExactly(amount, plainNumberStyle)} ${asset}`;
}

/** "2 January 2026". */
export function formatDay(date: Date): string {
  return date.toLocaleString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

/** "2 January 2026 at 03:04 UTC": spelling out the month avoids confusing day and month. */
export function formatUtc(date: Date): string {
  const text = date.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${text} UTC`;
}
