import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { orderSchema } from "../../api/contract";
import { hashAccessToken } from "../accounts/tokens";
import type { ExchangeContext } from "../context";
import type { DbNotifications } from "../db/notifications";
import type { SharedLimits } from "../limits/shared-limits";
import { getOwnOrder } from "../orders/own-order";
import type { Env } from "./env";
import { OrderStreamHub, type StreamSettings } from "./order-stream-hub";
import { idParam } from "./params";
import { requirePasskey } from "./require-caller";
import { createRouter, refusals } from "./router";

/** One event, described as an object because OpenAPI 3.1 has no type for event streams. */
const orderEvent = z.object({
  event: z.literal("order"),
  id: z.string().datetime().describe("The order's updated_at"),
  data: orderSchema.describe("The order, as JSON on one line"),
});

const events = createRoute({
  method: "get",
  path: "/api/swap/swaps/{id}/events",
  summary: "Watch one of your orders, by server-sent events",
  request: { params: idParam },
  responses: {
    200: {
      description:
        "The order immediately and after every change, with comment lines in between to keep the connection open. " +
        "The stream ends after seven to ten minutes, when its access token expires, or within a second after the " +
        "session has ended. Reconnect then.",
      content: { "text/event-stream": { schema: orderEvent } },
    },
    ...refusals(401, 403, 404, 422),
  },
});

/** Streams an order. HEAD gets a response without a stream, because that stream's place would never be released. */
export function orderEventRoutes(
  ctx: ExchangeContext,
  limits: SharedLimits,
  options: { settings?: Partial<StreamSettings>; notifications: DbNotifications },
): OpenAPIHono<Env> {
  const streams = new OrderStreamHub(ctx, limits, options);
  const headers = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "private, no-store",
    "X-Accel-Buffering": "no",
  };
  return createRouter().openapi(events, async (c) => {
    const { accountId } = requirePasskey(c);
    const { id } = c.req.valid("param");
    await getOwnOrder(ctx.db, accountId, id);
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    const watcher = {
      accountId,
      remoteAddress: c.env?.remoteAddress,
      tokenHash: hashAccessToken(c.req.header("X-Auth-Token") ?? ""),
      orderId: id,
    };
    return c.body(streams.open(watcher, c.req.raw), 200, headers);
  });
}
