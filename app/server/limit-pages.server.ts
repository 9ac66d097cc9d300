import type { MiddlewareHandler } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { toNetwork } from "../lib/network";

/** Limits how many pages per minute are rendered for one network: each takes milliseconds of processor time (T14). */
export function limitPages(perMinute: number): MiddlewareHandler<{ Bindings: { remoteAddress: string } }> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (c, next) => {
    try {
      await limiter.consume(toNetwork(c.env.remoteAddress));
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000));
      return c.text("Too many requests. Wait a moment and try again.", 429, { "Retry-After": String(seconds) });
    }
    return next();
  };
}
