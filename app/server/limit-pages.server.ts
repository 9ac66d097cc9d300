import type { Context, MiddlewareHandler } from "hono";
import { toClientNetwork } from "../lib/client-network";
import { asksForHtml, toRefusalPage } from "./refusal-page.server";

/** Returns null, or in how many seconds to try again if the limit is reached. */
type Limit = { consume(key: string): Promise<number | null> };
type Limiter = MiddlewareHandler<{ Bindings: { remoteAddress: string } }>;

const message = "Too many requests. Wait a moment and try again.";

/** Limits how many pages are rendered for one network: each takes milliseconds of processor time (T14). */
export function limitPages(limit: Limit): Limiter {
  return limitWith(limit, (c, headers) =>
    asksForHtml(c.req.raw) ? c.html(toPage(headers), 429, headers) : c.text(message, 429, headers),
  );
}

/** Limits one network's calls to the sandbox, whose chain has only two threads (T14). */
export function limitSandboxCalls(limit: Limit): Limiter {
  return limitWith(limit, (c, headers) => c.json({ detail: { message, code: "rate_limited" } }, 429, headers));
}

function toPage({ "Retry-After": seconds }: RetryHeaders): string {
  return toRefusalPage({
    title: "Too many requests",
    text: `Your network has opened many pages in a short time. Try again in ${seconds} ${seconds === "1" ? "second" : "seconds"}. Swaps in progress continue.`,
  });
}

type RetryHeaders = { "Retry-After": string };

function limitWith(limit: Limit, refuse: (c: Context, headers: RetryHeaders) => Response): Limiter {
  return async (c, next) => {
    const seconds = await limit.consume(toClientNetwork(c.env.remoteAddress));
    return seconds === null ? next() : refuse(c, { "Retry-After": String(seconds) });
  };
}
