import { ExchangeError } from "../exchange.server/errors";
import { createFairQueue } from "../lib/fair-queue";

/**
 * Lets each network run one job at a time, and all networks together at most `max`.
 * @throws rate_limited if too many jobs of the network wait
 */
export function createTurns(max: number) {
  return createFairQueue({
    max,
    maxWaiting: 100,
    refuse: () => new ExchangeError("rate_limited", { retryAfterSeconds: 1 }),
  });
}
