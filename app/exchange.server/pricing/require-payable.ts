import { ExchangeError } from "../errors";

/** Requires that a single payment of at most `maxPayment` (null: any) can send an amount. @throws liquidity */
export function requireSinglePayment(amount: bigint, maxPayment: bigint | null): void {
  if (maxPayment !== null && amount > maxPayment) throw new ExchangeError("liquidity", { retryAfterSeconds: 60 });
}
