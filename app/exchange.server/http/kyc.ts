import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { kycApplicationSchema, kycSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { getKyc, sendApplication } from "../kyc/apply";
import type { OnKycChange } from "../kyc/decide";
import { takeKycWebhook } from "../kyc/webhook";
import { type Env, requirePasskey } from "./env";
import { createRouter, json, refusals } from "./router";

const tags = ["identity verification"];

const getRoute = createRoute({
  method: "get",
  path: "/api/kyc",
  tags,
  summary: "How my application stands",
  responses: { 200: { description: "Its state", content: json(kycSchema) }, ...refusals(401, 403, 429, 503) },
});

const sendRoute = createRoute({
  method: "post",
  path: "/api/kyc",
  tags,
  summary: "Send my details for verification",
  request: { body: { required: true, content: json(kycApplicationSchema) } },
  responses: {
    202: { description: "Taken, to be reviewed", content: json(kycSchema) },
    ...refusals(400, 401, 403, 409, 422, 429, 503),
  },
});

const webhookRoute = createRoute({
  method: "post",
  path: "/api/kyc/webhook",
  tags,
  summary: "The provider's signed message",
  request: {
    headers: z.object({ "x-kyc-signature": z.string().optional() }),
  },
  responses: {
    200: { description: "Taken", content: json(z.object({ received: z.literal(true) })) },
    ...refusals(400, 401, 429, 503),
  },
});

/** My application, and the provider's word on it. */
export function kycRoutes(x: ExchangeContext, onKycChange?: OnKycChange): OpenAPIHono<Env> {
  const app = createRouter();
  app.openapi(getRoute, async (c) => c.json(await getKyc(x, requirePasskey(c)), 200));
  app.openapi(sendRoute, async (c) => c.json(await sendApplication(x, requirePasskey(c), c.req.valid("json")), 202));
  app.openapi(webhookRoute, async (c) => {
    await takeKycWebhook(x, await c.req.text(), c.req.raw.headers, onKycChange);
    return c.json({ received: true as const }, 200);
  });
  return app;
}
