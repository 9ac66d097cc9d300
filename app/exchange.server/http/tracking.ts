import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { trackedOrderSchema, trackingTokenSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { SharedLimits } from "../limits/shared-limits";
import { createTrackingLink, revokeTrackingLink } from "../orders/tracking-links";
import { getTrackedOrder } from "../orders/views/tracked-order";
import type { Env } from "./env";
import { idParam } from "./params";
import { limitPerNetwork } from "./rate-limits";
import { requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const create = createRoute({
  method: "post",
  path: "/api/swap/swaps/{id}/tracking-link",
  summary: "Create a tracking link for one of your orders; an earlier one stops working",
  request: { params: idParam },
  responses: {
    201: { description: "The token of the link, which cannot be read again", content: json(trackingTokenSchema) },
    ...refusals(401, 403, 404, 422),
  },
});

const revoke = createRoute({
  method: "delete",
  path: "/api/swap/swaps/{id}/tracking-link",
  summary: "Revoke the tracking link of one of your orders",
  request: { params: idParam },
  responses: {
    204: { description: "The link is revoked, or the order had none" },
    ...refusals(401, 403, 404, 422),
  },
});

const follow = createRoute({
  method: "get",
  path: "/api/tracking",
  summary: "Get what a tracking link shows; needs no account",
  // In a header, because paths get into logs.
  request: { headers: z.object({ "x-tracking-token": z.string().max(100) }) },
  responses: {
    200: { description: "The order, without addresses or owner", content: json(trackedOrderSchema) },
    ...refusals(404, 422),
  },
});

/** A page makes four requests a minute. The limit is not needed against guessing: a token has 256 bits. */
const followsPerMinute = 60;

/** Tracking links: create and revoke one, and what it shows, which is public. */
export function trackingRoutes(ctx: ExchangeContext, limits: SharedLimits): OpenAPIHono<Env> {
  const app = createRouter();
  app.use("/api/tracking", limitPerNetwork(limits.perMinute("follows", followsPerMinute)));
  return app
    .openapi(create, async (c) => {
      const { accountId } = requirePasskey(c);
      return c.json({ token: await createTrackingLink(ctx, accountId, c.req.valid("param").id) }, 201);
    })
    .openapi(revoke, async (c) => {
      const { accountId } = requirePasskey(c);
      await revokeTrackingLink(ctx, accountId, c.req.valid("param").id);
      return c.body(null, 204);
    })
    .openapi(follow, async (c) => c.json(await getTrackedOrder(ctx, c.req.valid("header")["x-tracking-token"]), 200));
}
