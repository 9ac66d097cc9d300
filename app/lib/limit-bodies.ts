import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { hasKnownLength, maxBodyBytes, mayHaveBody } from "./body-limit";

/**
 * Refuses bodies over 64 KiB before reading them. Checks those of known length by their Content-Length only: touching `body` would make
 * @hono/node-server build a full `Request`, which costs time.
 */
export function limitBodies(refuse: (c: Context) => Response): MiddlewareHandler {
  const limitStream = bodyLimit({ maxSize: maxBodyBytes, onError: refuse });
  return async (c, next) => {
    if (!mayHaveBody(c.req.method)) return next();
    if (!hasKnownLength(c.req.raw)) return limitStream(c, next);
    return Number(c.req.header("content-length")) > maxBodyBytes ? refuse(c) : next();
  };
}
