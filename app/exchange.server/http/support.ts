import { createRoute, type OpenAPIHono } from "@hono/zod-openapi";
import { supportMessageSchema } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { sendSupportMessage } from "../support/send-message";
import type { Env } from "./env";
import { createRouter, json, optionalToken, refusals } from "./router";

const send = createRoute({
  method: "post",
  path: "/api/support/messages",
  security: optionalToken,
  summary: "Send a message to support, with or without an account",
  request: { body: { required: true, content: json(supportMessageSchema) } },
  responses: {
    204: { description: "The message will be sent; support replies by e-mail" },
    ...refusals(401, 404, 422),
  },
});

/** Messages to the operator. A blocked account may send them too. */
export function supportRoutes(ctx: ExchangeContext): OpenAPIHono<Env> {
  return createRouter().openapi(send, async (c) => {
    // Without this check, a message from someone whose session has just expired would count as a stranger's.
    if (c.get("hasInvalidToken")) throw new ExchangeError("token_expired");
    const sender = { caller: c.get("caller"), remoteAddress: c.env?.remoteAddress };
    await sendSupportMessage(ctx, sender, c.req.valid("json"));
    return c.body(null, 204);
  });
}
