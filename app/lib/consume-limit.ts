import { type RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

/** Counts one use of a limit. Returns null, or in how many seconds to try again if the limit is reached. */
export async function consumeLimit(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
  }
}
