import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { findCaller } from "../accounts/sessions";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import type { Env } from "./env";
import { checkStrictJson, StrictJsonError } from "./strict-json";

/** An id for every request, in the answer and in the log; what no route says may be kept, is not (T10). */
export function requestFrame(): MiddlewareHandler<Env> {
  return async (c, next) => {
    c.set("requestId", newId());
    c.set("caller", null);
    c.set("deadToken", false);
    if (c.req.url.includes("%00")) throw new ExchangeError("bad_request");
    await next();
    c.res.headers.set("X-Request-Id", c.get("requestId"));
    if (!c.res.headers.has("Cache-Control")) c.res.headers.set("Cache-Control", "private, no-store");
  };
}

/** Until the exchange was ready once, only /api/status answers. */
export function awaitReadiness(isReady: () => boolean): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!isReady() && c.req.path !== "/api/status") throw new ExchangeError("starting", { retryAfterSeconds: 1 });
    await next();
  };
}

const maxBodyBytes = 64 * 1024;

/** Answers 413 body_too_large beyond 64 KiB, before anything is read. */
export function limitBody(): MiddlewareHandler<Env> {
  return bodyLimit({
    maxSize: maxBodyBytes,
    onError: () => {
      throw new ExchangeError("body_too_large");
    },
  });
}

/** Bodies are JSON, read strictly (T13). Hono keeps the text, so that routes read it again for nothing. */
export function requireStrictJson(): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD" && c.req.raw.body !== null) {
      const text = await c.req.text();
      if (text !== "") {
        if (!/^application\/json\s*(;|$)/i.test(c.req.header("Content-Type") ?? "")) {
          throw new ExchangeError("bad_request", { message: "Send JSON with Content-Type: application/json." });
        }
        try {
          checkStrictJson(text);
        } catch (error) {
          if (error instanceof StrictJsonError) throw new ExchangeError("bad_request", { message: error.message });
          throw error;
        }
      }
    }
    await next();
  };
}

/** Who calls: X-Auth-Token alone, never a cookie and never the query (T34). */
export function readCaller(x: ExchangeContext): MiddlewareHandler<Env> {
  return async (c, next) => {
    const token = c.req.header("X-Auth-Token");
    if (token) {
      const caller = await findCaller(x, token);
      c.set("caller", caller);
      c.set("deadToken", caller === null);
    }
    await next();
  };
}
