import type { MiddlewareHandler } from "hono";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { consumeLimit } from "../lib/consume-limit";
import { toNetwork } from "../lib/network";

/** Limits how many pages per minute are rendered for one network: each takes milliseconds of processor time (T14). */
export function limitPages(perMinute: number): MiddlewareHandler<{ Bindings: { remoteAddress: string } }> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return async (c, next) => {
    const seconds = await consumeLimit(limiter, toNetwork(c.env.remoteAddress));
    if (seconds === null) return next();
    return c.text("Too many requests. Wait a moment and try again.", 429, { "Retry-After": String(seconds) });
  };
}
