import type { MiddlewareHandler } from "hono";
import { toNetwork } from "../lib/network";

/** Returns null, or in how many seconds to try again if the limit is reached. */
type Limit = { consume(key: string): Promise<number | null> };

/** Limits how many pages are rendered for one network: each takes milliseconds of processor time (T14). */
export function limitPages(limit: Limit): MiddlewareHandler<{ Bindings: { remoteAddress: string } }> {
  return async (c, next) => {
    const seconds = await limit.consume(toNetwork(c.env.remoteAddress));
    if (seconds === null) return next();
    return c.text("Too many requests. Wait a moment and try again.", 429, { "Retry-After": String(seconds) });
  };
}
