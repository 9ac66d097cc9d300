import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { kycApplicationSchema, kycSchema } from "../../api/contract";
import type { RunningContext } from "../context";
import { createApplication } from "../kyc/create-application";
import { getKyc } from "../kyc/get-kyc";
import { receiveKycWebhook } from "../kyc/webhook";
import type { Env } from "./env";
import { requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const tags = ["identity verification"];

const getRoute = createRoute({
  method: "get",
  path: "/api/kyc",
  tags,
  summary: "Get the status of your identity verification",
  responses: { 200: { description: "The status", content: json(kycSchema) }, ...refusals(401, 403) },
});

const sendRoute = createRoute({
  method: "post",
  path: "/api/kyc",
  tags,
  summary: "Submit your details for verification",
  request: { body: { required: true, content: json(kycApplicationSchema) } },
  responses: {
    202: { description: "Submitted for review", content: json(kycSchema) },
    ...refusals(401, 403, 409, 422),
  },
});

const webhookRoute = createRoute({
  method: "post",
  path: "/api/kyc/webhook",
  security: [],
  tags,
  summary: "Receive a signed webhook from the identity provider",
  request: {
    headers: z.object({ "x-kyc-signature": z.string().optional() }),
  },
  responses: {
    200: { description: "Received", content: json(z.object({ received: z.literal(true) })) },
    ...refusals(401, 422),
  },
});

/** The caller's KYC application and the provider's webhook. */
export function kycRoutes(ctx: RunningContext): OpenAPIHono<Env> {
  const app = createRouter();
  app.openapi(getRoute, async (c) => c.json(await getKyc(ctx, requirePasskey(c)), 200));
  app.openapi(sendRoute, async (c) => {
    const sender = { caller: requirePasskey(c), remoteAddress: c.env?.remoteAddress };
    return c.json(await createApplication(ctx, sender, c.req.valid("json")), 202);
  });
  app.openapi(webhookRoute, async (c) => {
    await receiveKycWebhook(ctx, await c.req.text(), c.req.raw.headers);
    return c.json({ received: true as const }, 200);
  });
  return app;
}
