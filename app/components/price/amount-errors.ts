import { formatAmount } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import type { Side } from "~/lib/price";
import type { TypedAmounts } from "./use-typed-amounts";

/** What is wrong with a typed amount, for the field that it is in. */
export function toAmountErrors(
  { side, input, problem }: Pick<TypedAmounts, "side" | "input" | "problem">,
  numbers: NumberStyle,
): Partial<Record<Side, string>> {
  if (input.kind === "invalid") return { [side]: input.message };
  if (!problem) return {};
  if (problem.kind === "nothing-left") return { [side]: "This amount doesn't cover the fee." };
  const which = problem.kind === "too-small" ? "minimum" : "maximum";
  const limit = formatDecimalText(formatAmount(problem.limit, "USDT"), numbers);
  return { [side]: `The ${which} swap is worth ${limit} USDT.` };
}
