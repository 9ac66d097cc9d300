import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  fundingAddressSchema,
  lockRequestSchema,
  orderSchema,
  quoteRequestSchema,
  quoteSchema,
} from "../../api/contract";
import type { RunningContext } from "../context";
import { ExchangeError } from "../errors";
import { lockQuote } from "../orders/locking/lock-quote";
import { getFundingAddress } from "../orders/views/funding-address";
import { toNewOrder, toOrder } from "../orders/views/order-view";
import { createQuote, getActiveQuote, getOwnQuote, toQuote } from "../pricing/quotes";
import type { Env } from "./env";
import { quoteIdParam } from "./params";
import { requireApprovedUser, requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const quoteId = z.object({ id: quoteIdParam });

const makeQuote = createRoute({
  method: "post",
  path: "/api/swap/quotes",
  summary: "Request a quote for a source or a target amount",
  request: { body: { content: json(quoteRequestSchema), required: true } },
  responses: {
    201: { description: "An open quote", content: json(quoteSchema) },
    ...refusals(401, 403, 422),
  },
});

const activeQuote = createRoute({
  method: "get",
  path: "/api/swap/quotes/active",
  summary: "Get your newest open quote, or else your newest locked one",
  responses: { 200: { description: "The quote", content: json(quoteSchema) }, ...refusals(401, 403, 404) },
});

const oneQuote = createRoute({
  method: "get",
  path: "/api/swap/quotes/{id}",
  summary: "Get one of your quotes",
  request: { params: quoteId },
  responses: { 200: { description: "The quote", content: json(quoteSchema) }, ...refusals(401, 403, 404, 422) },
});

const idempotencyKeyPattern = /^[\x21-\x7e]+$/;
const longestIdempotencyKey = 200;

/** Describes the valid form. `requireIdempotencyKey` refuses other keys with specific errors. */
const idempotencyKey = z
  .string()
  .optional()
  .openapi({
    param: { required: true },
    minLength: 1,
    maxLength: longestIdempotencyKey,
    pattern: idempotencyKeyPattern.source,
  });

const lock = createRoute({
  method: "post",
  path: "/api/swap/quotes/{id}/lock",
  summary: "Lock a quote: fix its rate and create its swap order",
  request: {
    params: quoteId,
    headers: z.object({ "idempotency-key": idempotencyKey }),
    body: { content: json(lockRequestSchema), required: true },
  },
  responses: {
    201: { description: "The swap order", content: json(orderSchema) },
    200: {
      description: "The order that an earlier request with this Idempotency-Key created",
      content: json(orderSchema),
    },
    ...refusals(401, 403, 404, 409, 422),
  },
});

const fundingAddress = createRoute({
  method: "get",
  path: "/api/swap/quotes/{id}/funding-address",
  summary: "Get the payment address of a locked quote, and the amount still to pay",
  request: { params: quoteId },
  responses: {
    200: { description: "The funding address", content: json(fundingAddressSchema) },
    ...refusals(401, 403, 404, 409, 422),
  },
});

/** The quotes of the caller: create, get, lock, funding address. */
export function quoteRoutes(ctx: RunningContext): OpenAPIHono<Env> {
  return createRouter()
    .openapi(makeQuote, async (c) => {
      const quote = await createQuote(ctx, requireApprovedUser(c).accountId, c.req.valid("json"));
      return c.json(toQuote(quote, quote.createdAt), 201);
    })
    .openapi(activeQuote, async (c) => {
      const quote = await getActiveQuote(ctx, requirePasskey(c).accountId);
      return c.json(toQuote(quote, await ctx.clock.now(ctx.db)), 200);
    })
    .openapi(oneQuote, async (c) => {
      const quote = await getOwnQuote(ctx.db, requirePasskey(c).accountId, c.req.valid("param").id);
      return c.json(toQuote(quote, await ctx.clock.now(ctx.db)), 200);
    })
    .openapi(lock, async (c) => {
      const caller = requireApprovedUser(c);
      const key = requireIdempotencyKey(c.req.header("Idempotency-Key"));
      const { order, created } = await lockQuote(ctx, {
        owner: caller,
        quoteId: c.req.valid("param").id,
        request: c.req.valid("json"),
        idempotencyKey: key,
      });
      return created ? c.json(toNewOrder(order), 201) : c.json(await toOrder(ctx, order), 200);
    })
    .openapi(fundingAddress, async (c) => {
      const caller = requirePasskey(c);
      return c.json(await getFundingAddress(ctx, caller.accountId, c.req.valid("param").id), 200);
    });
}

function requireIdempotencyKey(header: string | undefined): string {
  if (!header) throw new ExchangeError("idempotency_key_missing");
  if (!idempotencyKeyPattern.test(header) || header.length > longestIdempotencyKey) {
    const message = `An Idempotency-Key is 1 to ${longestIdempotencyKey} visible ASCII characters.`;
    throw new ExchangeError("bad_request", { message });
  }
  return header;
}
