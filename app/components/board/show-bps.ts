import { formatDecimal } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";

/** 50 → "0.5 %". */
export function showBps(bps: number, style: NumberStyle): string {
  return `${formatDecimalText(formatDecimal(BigInt(bps), 2), style)} %`;
}
