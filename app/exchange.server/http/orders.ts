import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  decisionRequestSchema,
  errorSchema,
  orderFilterSchema,
  orderPageSchema,
  orderSchema,
  pageQuerySchema,
  pageSchema,
  quoteSchema,
  transactionSchema,
} from "../../api/contract";
import type { ExchangeContext } from "../context";
import { toPage, toPageRequest } from "../db/pages";
import { cancelOrder } from "../orders/cancel";
import { decide } from "../orders/decisions/decide";
import { refreshOffer } from "../orders/decisions/offers";
import { getOwnOrder } from "../orders/own-order";
import { listAndCountOrders, selectOrders } from "../orders/views/list-orders";
import { getOwnOrderWithMovements, listDeposits, toIncoming } from "../orders/views/movements";
import { toOrder, toOrders } from "../orders/views/order-view";
import type { Env } from "./env";
import { idParam, quoteIdParam } from "./params";
import { requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const list = createRoute({
  method: "get",
  path: "/api/swap/swaps",
  summary: "List your orders, newest first; with filters, only those that match all of them",
  request: {
    query: pageQuerySchema
      .merge(orderFilterSchema)
      .extend({ quote_id: quoteIdParam.optional(), count: z.enum(["true"]).optional() }),
  },
  responses: {
    200: {
      description: "A page of orders; with the totals of all orders if `count` is true",
      content: json(orderPageSchema),
    },
    ...refusals(401, 403, 422),
  },
});

const one = createRoute({
  method: "get",
  path: "/api/swap/swaps/{id}",
  summary: "Get one of your orders",
  request: { params: idParam },
  responses: { 200: { description: "The order", content: json(orderSchema) }, ...refusals(401, 403, 404, 422) },
});

const deposits = createRoute({
  method: "get",
  path: "/api/swap/swaps/{id}/deposits",
  summary: "List all deposits of one of your orders, newest first",
  request: { params: idParam, query: pageQuerySchema },
  responses: {
    200: { description: "A page of deposits", content: json(pageSchema(transactionSchema)) },
    ...refusals(401, 403, 404, 422),
  },
});

const decision = createRoute({
  method: "post",
  path: "/api/swap/swaps/{id}/decision",
  summary: "Decide what happens to a deposit: accept, requote or refund",
  request: { params: idParam, body: { content: json(decisionRequestSchema), required: true } },
  responses: {
    200: { description: "The order after the decision, even if the request is repeated", content: json(orderSchema) },
    ...refusals(401, 403, 404, 422),
    409: {
      description: "Not possible in the current state; `offer` is the new offer if yours has expired",
      content: json(errorSchema.extend({ offer: quoteSchema.nullable().optional() })),
    },
  },
});

const cancel = createRoute({
  method: "post",
  path: "/api/swap/swaps/{id}/cancel",
  summary: "Cancel an order before its deposit",
  request: { params: idParam },
  responses: {
    200: { description: "The cancelled order", content: json(orderSchema) },
    ...refusals(401, 403, 404, 409, 422),
  },
});

/** The orders of the caller: list, get, their deposits, decide, cancel. */
export function orderRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  return createRouter()
    .openapi(list, async (c) => {
      const { limit, cursor, count: counts, ...filters } = c.req.valid("query");
      const page = toPageRequest({ limit, cursor });
      const { accountId } = requirePasskey(c);
      const { found, count } = counts
        ? await listAndCountOrders(ctx.db, accountId, page, filters)
        : { found: await selectOrders(ctx.db, accountId, page, filters), count: undefined };
      const { rows, next } = toPage(found, page.limit);
      return c.json({ items: await toOrders(ctx, rows), next, ...(count && { count }) }, 200);
    })
    .openapi(one, async (c) => {
      const caller = requirePasskey(c);
      const { id } = c.req.valid("param");
      const read = () => getOwnOrderWithMovements(ctx.db, caller.accountId, id);
      const order = await read();
      if (order.status !== "needs_decision") return c.json(await toOrder(ctx, order), 200);
      // The response always has an offer that is still open.
      await refreshOffer(ctx, id);
      return c.json(await toOrder(ctx, await read()), 200);
    })
    .openapi(deposits, async (c) => {
      const caller = requirePasskey(c);
      const page = toPageRequest(c.req.valid("query"));
      const { id } = await getOwnOrder(ctx.db, caller.accountId, c.req.valid("param").id);
      const { rows, next } = toPage(await listDeposits(ctx.db, id, page), page.limit);
      return c.json({ items: rows.map(toIncoming), next }, 200);
    })
    .openapi(decision, async (c) => {
      const caller = requirePasskey(c);
      const order = await decide(ctx, caller.accountId, c.req.valid("param").id, c.req.valid("json"));
      return c.json(await toOrder(ctx, order), 200);
    })
    .openapi(cancel, async (c) => {
      const caller = requirePasskey(c);
      const { id } = c.req.valid("param");
      await getOwnOrder(ctx.db, caller.accountId, id);
      return c.json(await toOrder(ctx, await cancelOrder(ctx, id)), 200);
    });
}
