import { formatAmount, type Pair } from "../../lib/money";
import { findLimitProblem, type Price, type PriceTerms, type Side, toPrice } from "../../lib/price";
import { ExchangeError } from "../errors";

/** Returns a price that leaves something to pay out. Does not check the limits. @throws amount_too_small */
export function requirePrice(given: { side: Side; amount: bigint }, pair: Pair, terms: PriceTerms): Price {
  const price = toPrice(given, pair, terms);
  if (price.targetAmount === 0n) {
    throw new ExchangeError("amount_too_small", { message: "This amount doesn't cover the fee." });
  }
  return price;
}

/** Requires that a single payment of at most `maxPayment` (null: any) can send an amount. @throws liquidity */
export function requireSinglePayment(amount: bigint, maxPayment: bigint | null): void {
  if (maxPayment !== null && amount > maxPayment) throw new ExchangeError("liquidity", { retryAfterSeconds: 60 });
}

/** @throws amount_too_small, amount_too_large; the message names the limit */
export function requireWithinLimits(sourceAmount: bigint, pair: Pair, terms: PriceTerms): void {
  const problem = findLimitProblem(sourceAmount, pair, terms);
  if (problem?.kind === "too-small") {
    throw new ExchangeError("amount_too_small", {
      message: `The minimum swap is worth ${formatAmount(problem.limit, "USDT")} USDT.`,
    });
  }
  if (problem?.kind === "too-large") {
    throw new ExchangeError("amount_too_large", {
      message: `The maximum swap is worth ${formatAmount(problem.limit, "USDT")} USDT.`,
    });
  }
}
