import type { MiddlewareHandler } from "hono";
import { onlyReads } from "../../lib/http/methods";
import { findCaller } from "../accounts/find-caller";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import type { Env } from "./env";
import { checkStrictJson, StrictJsonError } from "./strict-json";

/**
 * Gives every request the id of the visitor's request, or its own. Responses are not cacheable unless their route says
 * so (T10).
 */
export function requestFrame(): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set("requestId", c.env?.requestId ?? newId());
    c.set("caller", null);
    c.set("hasInvalidToken", false);
    if (c.req.url.includes("%00")) throw new ExchangeError("bad_request");
    await next();
    c.res.headers.set("X-Request-Id", c.get("requestId"));
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "private, no-store");
  };
}

/** Refuses every call except /api/status until the exchange is ready. */
export function awaitReadiness(isReady: () => boolean): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!isReady() && c.req.path !== "/api/status") throw new ExchangeError("starting", { retryAfterSeconds: 1 });
    await next();
  };
}

/** Requires bodies to be strict JSON (T13). Hono caches the bytes, so routes do not read them a second time. */
export function requireStrictJson(): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!onlyReads(c.req)) {
      const bytes = await c.req.arrayBuffer();
      if (bytes.byteLength > 0) {
        const type = c.req.header("Content-Type") ?? "";
        if (!/^application\/json\s*(;|$)/i.test(type)) {
          throw new ExchangeError("bad_request", { message: "Send JSON with Content-Type: application/json." });
        }
        const [, charset = "utf-8"] = /;\s*charset="?([^\s";]*)/i.exec(type) ?? [];
        const encoding = c.req.header("Content-Encoding") ?? "identity";
        if (!/^utf-?8$/i.test(charset) || !/^identity$/i.test(encoding))
          throw new ExchangeError("encoding_unsupported");
        try {
          checkStrictJson(decodeUtf8(bytes));
        } catch (error) {
          if (error instanceof StrictJsonError) throw new ExchangeError("bad_request", { message: error.message });
          throw error;
        }
      }
    }
    await next();
  };
}

/** Unlike Hono's own decoder, refuses invalid bytes instead of replacing them. @throws encoding_unsupported */
function decodeUtf8(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ExchangeError("encoding_unsupported");
  }
}

/** Authenticates by X-Auth-Token only, never by cookie or query (T34). */
export function readCaller(ctx: ExchangeContext): MiddlewareHandler<Env> {
  return async (c, next) => {
    const token = c.req.header("X-Auth-Token");
    if (token) {
      const caller = await findCaller(ctx, token);
      c.set("caller", caller);
      c.set("hasInvalidToken", caller === null);
    }
    await next();
  };
}
