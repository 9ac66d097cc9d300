import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { maxBodyBytes, mayHaveBody } from "./body-limit";

/**
 * Refuses bodies over 64 KiB before reading them. Does not ask a GET request for its body: that would make a whole
 * `Request` of the one that @hono/node-server passes on.
 */
export function limitBodies(refuse: (c: Context) => Response): MiddlewareHandler {
  const limit = bodyLimit({ maxSize: maxBodyBytes, onError: refuse });
  return (c, next) => (mayHaveBody(c.req.method) ? limit(c, next) : next());
}
