import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { priceAlertRequestSchema, priceAlertSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { addPriceAlert, listPriceAlerts, removePriceAlert, toPriceAlert } from "../price-alerts/price-alerts";
import type { Env } from "./env";
import { idParam } from "./params";
import { requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const list = createRoute({
  method: "get",
  path: "/api/users/me/price-alerts",
  summary: "List your price alerts, newest first",
  responses: {
    200: { description: "The alerts", content: json(z.object({ items: z.array(priceAlertSchema) })) },
    ...refusals(401, 403),
  },
});

const add = createRoute({
  method: "post",
  path: "/api/users/me/price-alerts",
  summary: "Set a price alert: one e-mail and notification when 1 MOB costs more or less than a rate",
  request: { body: { content: json(priceAlertRequestSchema), required: true } },
  responses: {
    201: { description: "The alert", content: json(priceAlertSchema) },
    200: { description: "The alert existed already", content: json(priceAlertSchema) },
    ...refusals(401, 403, 409, 422),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/api/users/me/price-alerts/{id}",
  summary: "Remove a price alert",
  request: { params: idParam },
  responses: { 204: { description: "Removed" }, ...refusals(401, 403, 404, 422) },
});

/** The price alerts of the caller: list, add, remove. */
export function priceAlertRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  return createRouter()
    .openapi(list, async (c) => {
      const { accountId } = requirePasskey(c);
      return c.json({ items: (await listPriceAlerts(ctx.db, accountId)).map(toPriceAlert) }, 200);
    })
    .openapi(add, async (c) => {
      const { row, created } = await addPriceAlert(ctx, requirePasskey(c), c.req.valid("json"));
      return created ? c.json(toPriceAlert(row), 201) : c.json(toPriceAlert(row), 200);
    })
    .openapi(remove, async (c) => {
      const { accountId } = requirePasskey(c);
      await removePriceAlert(ctx, accountId, c.req.valid("param").id);
      return c.body(null, 204);
    });
}
