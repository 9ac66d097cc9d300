import type { Pair } from "../../lib/money";
import { plainNumberStyle } from "../../lib/number-style";
import { findLimitProblem, type Price, type PriceProblem, type PriceTerms, type Side, toPrice } from "../../lib/price";
import { toPriceProblemText } from "../../lib/price-problem-text";
import { ExchangeError } from "../errors";

/** Returns a price that leaves something to pay out. Does not check the limits. @throws amount_too_small */
export function requirePrice(given: { side: Side; amount: bigint }, pair: Pair, terms: PriceTerms): Price {
  const price = toPrice(given, pair, terms);
  if (price.targetAmount === 0n) throw refuse({ kind: "nothing-left" }, given.side);
  return price;
}

/** Requires that a single payment of at most `maxPayment` (null: any) can send an amount. @throws liquidity */
export function requireSinglePayment(amount: bigint, maxPayment: bigint | null): void {
  if (maxPayment !== null && amount > maxPayment) throw new ExchangeError("liquidity", { retryAfterSeconds: 60 });
}

/**
 * @param side whose amount was requested
 * @throws amount_too_small, amount_too_large; the message names the limit
 */
export function requireWithinLimits(sourceAmount: bigint, side: Side, pair: Pair, terms: PriceTerms): void {
  const problem = findLimitProblem(sourceAmount, pair, terms);
  if (problem !== null) throw refuse(problem, side);
}

function refuse(problem: PriceProblem, side: Side): ExchangeError {
  const message = toPriceProblemText(problem, plainNumberStyle);
  const code = problem.kind === "too-large" ? "amount_too_large" : "amount_too_small";
  return new ExchangeError(code, { message, fields: { [`${side}_amount`]: message } });
}
