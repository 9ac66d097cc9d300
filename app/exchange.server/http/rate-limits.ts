import type { MiddlewareHandler } from "hono";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { consumeLimit } from "../../lib/consume-limit";
import { toNetwork } from "../../lib/network";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import type { Env } from "./env";

/** Limits all requests from one network. */
export function limitRequests(ctx: ExchangeContext): MiddlewareHandler<Env> {
  return limitPerNetwork(ctx.config.limits.requestsPerAddressPerMinute);
}

/** Limits requests per minute from one network. Calls without a network address come from this process and are not limited. */
export function limitPerNetwork(requestsPerMinute: number): MiddlewareHandler<Env> {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (c, next) => {
    const address = c.env?.remoteAddress;
    if (address) await consume(limiter, toNetwork(address));
    await next();
  };
}

/** Limits writes per minute of one account, over all its sessions. */
export function limitWrites(ctx: ExchangeContext): MiddlewareHandler<Env> {
  const limiter = new RateLimiterMemory({ points: ctx.config.limits.writesPerAccountPerMinute, duration: 60 });
  return async (c, next) => {
    const caller = c.get("caller");
    const reads = c.req.method === "GET" || c.req.method === "HEAD" || c.req.method === "OPTIONS";
    if (caller && !reads) await consume(limiter, caller.accountId);
    await next();
  };
}

/** Counts one use of a limit. @throws rate_limited */
export async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  const retryAfterSeconds = await consumeLimit(limiter, key);
  if (retryAfterSeconds !== null) throw new ExchangeError("rate_limited", { retryAfterSeconds });
}
