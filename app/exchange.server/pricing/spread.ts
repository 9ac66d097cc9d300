import { maxBigint, minBigint } from "../../lib/bigint";
import type { BidAsk } from "../../lib/price";

/** The most that each side moves away from the rate. A price must stay above 0, whatever the rate has done. */
const maxHalfSpreadBps = 5_000n;

/**
 * The prices at which customers sell MOB (`bid`) and buy it (`ask`), in USDT per 1 MOB. Pure.
 *
 * Starts from the lowest and the highest feed, so that neither direction gets the better of two feeds.
 * If the rate moved by more than `calmBps` within the window of `recent` rates, half of the excess is
 * taken from the bid and added to the ask: a customer has minutes to use a locked rate, and that is
 * worth more the more the rate moves. If the feeds agree and the rate is calm, both are the rate.
 */
export function toTwoSidedRate(
  { low, high }: { low: bigint; high: bigint },
  { recent, calmBps }: { recent: bigint[]; calmBps: number },
): BidAsk {
  // Disagreement of the feeds is in `low` and `high` already, and must not count twice.
  const excessBps = toRangeBps([low, high, ...recent]) - toRangeBps([low, high]) - BigInt(calmBps);
  if (excessBps <= 0n) return { bid: low, ask: high };
  const halfBps = minBigint(excessBps / 2n, maxHalfSpreadBps);
  // Rounded in our favour.
  return { bid: (low * (10_000n - halfBps)) / 10_000n, ask: (high * (10_000n + halfBps) + 9_999n) / 10_000n };
}

/** How far the highest of these rates is above the lowest, in basis points. 0 if there are no rates. */
export function toRangeBps(rates: readonly bigint[]): bigint {
  const [first] = rates;
  if (first === undefined) return 0n;
  const lowest = rates.reduce(minBigint, first);
  return ((rates.reduce(maxBigint, first) - lowest) * 10_000n) / lowest;
}
