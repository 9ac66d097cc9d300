import type { MiddlewareHandler } from "hono";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import type { Env } from "./env";

/** Requests a minute from one network address, of all kinds. Calls without an address come from this process. */
export function limitRequests(x: ExchangeContext): MiddlewareHandler<Env> {
  const limiter = new RateLimiterMemory({ points: x.config.limits.requestsPerAddressPerMinute, duration: 60 });
  return async (c, next) => {
    const address = c.env?.remoteAddress;
    if (address) await consume(limiter, toNetwork(address));
    await next();
  };
}

/** Writes a minute of one account, whichever of its sessions makes them. */
export function limitWrites(x: ExchangeContext): MiddlewareHandler<Env> {
  const limiter = new RateLimiterMemory({ points: x.config.limits.writesPerAccountPerMinute, duration: 60 });
  return async (c, next) => {
    const caller = c.get("caller");
    const reads = c.req.method === "GET" || c.req.method === "HEAD" || c.req.method === "OPTIONS";
    if (caller && !reads) await consume(limiter, caller.accountId);
    await next();
  };
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw new ExchangeError("rate_limited", { retryAfterSeconds: Math.max(1, refusal.msBeforeNext / 1000) });
  }
}

/** Whom an address belongs to: an IPv4 address, or the /64 that one IPv6 customer gets. */
export function toNetwork(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("%")[0]?.split("::") ?? [];
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...new Array<string>(zeros).fill("0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
