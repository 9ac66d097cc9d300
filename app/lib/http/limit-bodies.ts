import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { onlyReads } from "./methods";

/** The maximum size of a request body, for the site and the API. Larger requests get a 413 response. */
export const maxBodyBytes = 64 * 1024;

/** Whether a request says how long its body is, and is not chunked. */
export function hasKnownLength({ headers }: Request): boolean {
  return headers.has("content-length") && !headers.has("transfer-encoding");
}

/**
 * Refuses bodies over 64 KiB before reading them. If a request has a Content-Length, checks that and not the body:
 * touching `body` would make @hono/node-server build a full `Request`, which costs time.
 */
export function limitBodies(refuse: (c: Context) => Response): MiddlewareHandler {
  const limitStream = bodyLimit({ maxSize: maxBodyBytes, onError: refuse });
  return async (c, next) => {
    if (onlyReads(c.req)) return next();
    if (!hasKnownLength(c.req.raw)) return limitStream(c, next);
    return Number(c.req.header("content-length")) > maxBodyBytes ? refuse(c) : next();
  };
}
