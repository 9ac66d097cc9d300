import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { maxBodyBytes, mayHaveBody } from "./body-limit";

/**
 * Refuses bodies over 64 KiB before reading them. Skips GET requests: reading `body` would make @hono/node-server build
 * a full `Request`, which costs time.
 */
export function limitBodies(refuse: (c: Context) => Response): MiddlewareHandler {
  const limit = bodyLimit({ maxSize: maxBodyBytes, onError: refuse });
  return (c, next) => (mayHaveBody(c.req.method) ? limit(c, next) : next());
}
