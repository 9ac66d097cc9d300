import { formatDecimal } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";

/** Basis points as a percentage: 50 → "0.5%". */
export function formatBps(bps: number, style: NumberStyle): string {
  return `${formatDecimalText(formatDecimal(BigInt(bps), 2), style)}%`;
}
