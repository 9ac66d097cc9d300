import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { pushKeySchema, pushSubscriptionRequestSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { addPushSubscription } from "../push/subscriptions";
import { toVapidKeys } from "../push/vapid";
import type { Env } from "./env";
import { requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const key = createRoute({
  method: "get",
  path: "/api/users/me/push-key",
  summary: "Get the key with which a browser subscribes to notifications",
  responses: { 200: { description: "The key", content: json(pushKeySchema) }, ...refusals(401, 403) },
});

const add = createRoute({
  method: "post",
  path: "/api/users/me/push-subscriptions",
  summary: "Notify this browser about your swaps and price alerts until the session ends",
  request: { body: { content: json(pushSubscriptionRequestSchema), required: true } },
  responses: { 204: { description: "Stored" }, ...refusals(401, 403, 422) },
});

/** Notifications in the caller's browsers. */
export function pushRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  return createRouter()
    .openapi(key, (c) => {
      requirePasskey(c);
      return c.json({ public_key: toVapidKeys(ctx.config).publicKey }, 200);
    })
    .openapi(add, async (c) => {
      await addPushSubscription(ctx, requirePasskey(c), c.req.valid("json"));
      return c.body(null, 204);
    });
}
