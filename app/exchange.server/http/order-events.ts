import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { orderSchema } from "../../api/contract";
import { findCaller } from "../accounts/sessions";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { refreshOffer } from "../orders/decisions";
import { toOrder } from "../orders/order-view";
import { getOwnOrder } from "../orders/queries";
import { type Env, requirePasskey } from "./env";
import { createRouter, refusals } from "./router";

const pollMs = 1_000;
const beatMs = 15_000;
/** A watcher whose session ended is let go within this time (T16). */
const recheckMs = 30_000;
/** The browser comes back by itself; a stream for ever would outlive deployments and proxies. */
const longestMs = 10 * 60_000;
const perAccount = 4;
const inAll = 500;

/** One event of the stream, its fields by their names; OpenAPI 3.1 knows of no streams. */
const orderEvent = z.object({
  event: z.literal("order"),
  id: z.string().datetime().describe("The order's updated_at"),
  data: orderSchema.describe("The whole order, as JSON on one line"),
});

const events = createRoute({
  method: "get",
  path: "/api/swap/swaps/{id}/events",
  summary: "One order of mine as it changes, as server-sent events",
  request: { params: z.object({ id: z.string().min(1).max(64) }) },
  responses: {
    200: {
      description:
        "The order at once and after every change. Between them a comment line now and then says that the line is up. " +
        "The stream ends after some minutes, and where the session ends; ask again then.",
      content: { "text/event-stream": { schema: orderEvent } },
    },
    ...refusals(401, 403, 404, 429),
  },
});

/**
 * The order whole as `event: order`, at once and after every change. Several processes may
 * serve it: changes are read from the database, by the order's `updated_at`.
 */
export function orderEventRoutes(x: ExchangeContext): OpenAPIHono<Env> {
  const watchers = new Map<string, number>();
  let total = 0;
  return createRouter().openapi(events, async (c) => {
    const caller = requirePasskey(c);
    const token = c.req.header("X-Auth-Token") ?? "";
    const { id } = c.req.valid("param");
    await getOwnOrder(x.db, caller.accountId, id);
    const mine = watchers.get(caller.accountId) ?? 0;
    if (mine >= perAccount || total >= inAll) throw new ExchangeError("rate_limited", { retryAfterSeconds: 10 });
    watchers.set(caller.accountId, mine + 1);
    total += 1;
    const leave = () => {
      const left = (watchers.get(caller.accountId) ?? 1) - 1;
      if (left === 0) watchers.delete(caller.accountId);
      else watchers.set(caller.accountId, left);
      total -= 1;
    };
    return streamOrder(c, x, { accountId: caller.accountId, token, id, leave });
  });
}

function streamOrder(
  c: Context<Env>,
  x: ExchangeContext,
  watcher: { accountId: string; token: string; id: string; leave: () => void },
): Response {
  c.header("Cache-Control", "private, no-store");
  c.header("X-Accel-Buffering", "no");
  const aborted = new Promise<void>((resolve) => c.req.raw.signal.addEventListener("abort", () => resolve()));
  return streamSSE(c, async (stream) => {
    const began = Date.now();
    let lastSent = "";
    let lastBeat = began;
    let lastCheck = began;
    let over = false;
    stream.onAbort(() => {
      over = true;
    });
    void aborted.then(() => {
      over = true;
    });
    try {
      while (!over && Date.now() - began < longestMs) {
        if (Date.now() - lastCheck > recheckMs) {
          lastCheck = Date.now();
          if ((await findCaller(x, watcher.token)) === null) return;
        }
        let order = await getOwnOrder(x.db, watcher.accountId, watcher.id);
        if (order.status === "needs_decision") {
          await refreshOffer(x, watcher.id);
          order = await getOwnOrder(x.db, watcher.accountId, watcher.id);
        }
        const version = order.updatedAt.toISOString();
        if (version !== lastSent) {
          lastSent = version;
          await stream.writeSSE({ event: "order", id: version, data: JSON.stringify(await toOrder(x, order)) });
        } else if (Date.now() - lastBeat > beatMs) {
          lastBeat = Date.now();
          await stream.write(": still here\n\n");
        }
        await stream.sleep(pollMs);
      }
    } finally {
      watcher.leave();
    }
  });
}
