import { formatAmount } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";
import type { PriceProblem } from "./price";

/** Says why an amount cannot be swapped. */
export function toPriceProblemText(problem: PriceProblem, style: NumberStyle): string {
  if (problem.kind === "nothing-left") return "This amount doesn't cover the fee.";
  const which = problem.kind === "too-small" ? "minimum" : "maximum";
  return `The ${which} swap is worth ${formatDecimalText(formatAmount(problem.limit, "USDT"), style)} USDT.`;
}
