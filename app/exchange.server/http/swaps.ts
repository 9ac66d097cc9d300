import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { decisionRequestSchema, orderSchema, pageQuerySchema, pageSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { cancelOrder } from "../orders/deadlines";
import { decide, refreshOffer } from "../orders/decisions";
import { listOrders } from "../orders/list-orders";
import { toOrder, toOrders } from "../orders/order-view";
import { getOwnOrder } from "../orders/queries";
import { type Env, requirePasskey } from "./env";
import { formatCursor, parseCursor } from "./pages";
import { quoteIdText } from "./quote-id";
import { createRouter, json, refusals } from "./router";

const orderId = z.object({ id: z.string().min(1).max(64) });

const list = createRoute({
  method: "get",
  path: "/api/swap/swaps",
  summary: "My orders, newest first; with quote_id the one of that quote",
  request: { query: pageQuerySchema.extend({ quote_id: quoteIdText.optional() }) },
  responses: { 200: { description: "A page", content: json(pageSchema(orderSchema)) }, ...refusals(401, 403, 422) },
});

const one = createRoute({
  method: "get",
  path: "/api/swap/swaps/{id}",
  summary: "One order of mine",
  request: { params: orderId },
  responses: { 200: { description: "An order", content: json(orderSchema) }, ...refusals(401, 403, 404) },
});

const decision = createRoute({
  method: "post",
  path: "/api/swap/swaps/{id}/decision",
  summary: "Decide about what came: accept, requote or refund",
  request: { params: orderId, body: { content: json(decisionRequestSchema), required: true } },
  responses: {
    200: { description: "The order after it; the same again is answered alike", content: json(orderSchema) },
    ...refusals(400, 401, 403, 404, 409, 422),
  },
});

const cancel = createRoute({
  method: "post",
  path: "/api/swap/swaps/{id}/cancel",
  summary: "Cancel, while no deposit was seen",
  request: { params: orderId },
  responses: {
    200: { description: "The cancelled order", content: json(orderSchema) },
    ...refusals(401, 403, 404, 409),
  },
});

/** Orders: lock, list, look at, cancel, decide. Everything that moves money demands a passkey token. */
export function swapRoutes(x: ExchangeContext): OpenAPIHono<Env> {
  return createRouter()
    .openapi(list, async (c) => {
      const { cursor, limit, quote_id } = c.req.valid("query");
      const rows = await listOrders(x.db, requirePasskey(c).accountId, {
        limit: limit + 1,
        before: cursor ? parseCursor(cursor) : null,
        quoteId: quote_id ?? null,
      });
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const next = rows.length > limit && last ? formatCursor({ at: last.createdAt, id: last.id }) : null;
      return c.json({ items: await toOrders(x, shown), next }, 200);
    })
    .openapi(one, async (c) => {
      const caller = requirePasskey(c);
      const { id } = c.req.valid("param");
      const order = await getOwnOrder(x.db, caller.accountId, id);
      if (order.status !== "needs_decision") return c.json(await toOrder(x, order), 200);
      // The page that asks always shows an offer that can still be taken.
      await refreshOffer(x, id);
      return c.json(await toOrder(x, await getOwnOrder(x.db, caller.accountId, id)), 200);
    })
    .openapi(decision, async (c) => {
      const caller = requirePasskey(c);
      const mayTrade = caller.isActive && caller.kycStatus === "approved";
      const trader = { accountId: caller.accountId, mayTrade };
      const order = await decide(x, trader, c.req.valid("param").id, c.req.valid("json"));
      return c.json(await toOrder(x, order), 200);
    })
    .openapi(cancel, async (c) => {
      const caller = requirePasskey(c);
      const { id } = c.req.valid("param");
      await getOwnOrder(x.db, caller.accountId, id);
      return c.json(await toOrder(x, await cancelOrder(x, id)), 200);
    });
}
