import type { HonoRequest, MiddlewareHandler } from "hono";
import { toClientNetwork } from "../../lib/client-network";
import { isSafe } from "../../lib/http/methods";
import { ExchangeError } from "../errors";
import type { RequestLimit } from "../limits/request-limit";
import type { Env } from "./env";

/** Limits requests from one network. Calls without a network address come from this process and are not limited. */
export function limitPerNetwork(limit: RequestLimit): MiddlewareHandler<Env> {
  return async (c, next) => {
    const address = c.env?.remoteAddress;
    if (address !== undefined) await consume(limit, toClientNetwork(address));
    await next();
  };
}

/**
 * Limits the writes of one account, over all its sessions. Calls that end someone's access, or decide about money that
 * has arrived, count per session instead, so that a thief with another session cannot use up the owner's limit (T12).
 */
export function limitWrites(limit: RequestLimit): MiddlewareHandler<Env> {
  return async (c, next) => {
    const caller = c.get("caller");
    if (caller && !isSafe(c.req)) await consume(limit, isUrgent(c.req) ? caller.sessionId : caller.accountId);
    await next();
  };
}

const aboutSwap = /^\/api\/swap\/swaps\/[^/]+\/(decision|cancel)$/;

/**
 * Signing in and out, codes, adding a passkey in a recovery, and removing sessions, passkeys and addresses; also
 * deciding about a swap, because of the deadline, and cancelling one.
 */
function isUrgent({ method, path }: HonoRequest): boolean {
  return method === "DELETE" || path === "/api/auth" || path.startsWith("/api/auth/") || aboutSwap.test(path);
}

/** Counts one use of a limit. @throws rate_limited */
export async function consume(limit: RequestLimit, key: string): Promise<void> {
  const retryAfterSeconds = await limit.consume(key);
  if (retryAfterSeconds !== null) throw new ExchangeError("rate_limited", { retryAfterSeconds });
}
