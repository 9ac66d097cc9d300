import type { Context, MiddlewareHandler } from "hono";
import { toClientNetwork } from "../lib/client-network";
import { createFairQueue } from "../lib/fair-queue";
import { hasKnownLength } from "../lib/http/limit-bodies";
import { onlyReads } from "../lib/http/methods";
import { asksForHtml, toRefusalPage } from "./refusal-page.server";
import { toWholeRequest } from "./whole-request.server";

/** Returns null, or in how many seconds to try again if the limit is reached. */
type Limit = { consume(key: string): Promise<number | null> };
type Limiter = MiddlewareHandler<{ Bindings: { remoteAddress: string; isForEveryone?: true } }>;

const message = "Too many requests. Wait a moment and try again.";

/** Limits how many pages are rendered for one network: each takes milliseconds of processor time (T14). */
export function limitPages(limit: Limit): Limiter {
  return limitWith(limit, refusePage);
}

function refusePage(c: Context, headers: RetryHeaders): Response | Promise<Response> {
  return asksForHtml(c.req.raw) ? c.html(toPage(headers), 429, headers) : c.text(message, 429, headers);
}

/**
 * How many pages are rendered for one network at a time. Rendering takes milliseconds of the only thread, so a burst
 * delays other visitors by less than 0.2 s. Loading the data may take longer, so more than one page is rendered at a
 * time.
 */
const maxAtOnce = 16;

class TooManyPages extends Error {}

/** Limits how many pages of one network are rendered at a time. The others wait, and are rejected if too many do (T14). */
export function createPageQueue() {
  return createFairQueue({
    max: Number.POSITIVE_INFINITY,
    maxPerNetwork: maxAtOnce,
    refuse: () => new TooManyPages(),
  });
}

/**
 * Renders pages in turn, and refuses them if too many wait. A page that is cached for everyone has had its turn already
 * (public-pages.server.ts). A form waits for its turn only after it has arrived: otherwise, a few forms that arrive
 * slowly would delay all pages of their network.
 */
export function limitConcurrentPages(): Limiter {
  const inTurn = createPageQueue();
  return async (c, next) => {
    if (c.env.isForEveryone) return next();
    try {
      await readBody(c);
    } catch {
      return c.text("This request could not be read.", 400);
    }
    try {
      await inTurn(toClientNetwork(c.env.remoteAddress), next);
    } catch (error) {
      if (!(error instanceof TooManyPages)) throw error;
      return refusePage(c, { "Retry-After": "1" });
    }
  };
}

/** Reads a body of known length. `limitBodies` has read any other. */
async function readBody(c: Context): Promise<void> {
  if (onlyReads(c.req) || !hasKnownLength(c.req.raw)) return;
  const request = toWholeRequest(c.req.raw);
  c.req.raw = new Request(request, { body: await request.arrayBuffer() });
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

function limitWith(limit: Limit, refuse: (c: Context, headers: RetryHeaders) => Response | Promise<Response>): Limiter {
  return async (c, next) => {
    const seconds = await limit.consume(toClientNetwork(c.env.remoteAddress));
    return seconds === null ? next() : refuse(c, { "Retry-After": String(seconds) });
  };
}
