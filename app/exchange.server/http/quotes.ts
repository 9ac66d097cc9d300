import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  fundingAddressSchema,
  lockRequestSchema,
  orderSchema,
  quoteRequestSchema,
  quoteSchema,
} from "../../api/contract";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { getFundingAddress } from "../orders/funding-address";
import { lockQuote } from "../orders/lock-quote";
import { toOrder } from "../orders/order-view";
import { createQuote, getActiveQuote, getOwnQuote, toQuote } from "../quotes/quotes";
import { type Env, requirePasskey, requireTrader } from "./env";
import { quoteIdText } from "./quote-id";
import { createRouter, json, refusals } from "./router";

const quoteId = z.object({ id: quoteIdText });

const makeQuote = createRoute({
  method: "post",
  path: "/api/swap/quotes",
  summary: "Ask for a price, by what is sent or by what is wanted",
  request: { body: { content: json(quoteRequestSchema), required: true } },
  responses: {
    201: { description: "An open quote", content: json(quoteSchema) },
    ...refusals(400, 401, 403, 422, 503),
  },
});

const activeQuote = createRoute({
  method: "get",
  path: "/api/swap/quotes/active",
  summary: "My newest open quote, else my newest locked one",
  responses: { 200: { description: "A quote", content: json(quoteSchema) }, ...refusals(401, 403, 404) },
});

const oneQuote = createRoute({
  method: "get",
  path: "/api/swap/quotes/{id}",
  summary: "One quote of mine",
  request: { params: quoteId },
  responses: { 200: { description: "A quote", content: json(quoteSchema) }, ...refusals(401, 403, 404) },
});

const lock = createRoute({
  method: "post",
  path: "/api/swap/quotes/{id}/lock",
  summary: "Fix the rate and get a funding address",
  request: {
    params: quoteId,
    headers: z.object({ "idempotency-key": z.string().optional() }),
    body: { content: json(lockRequestSchema), required: true },
  },
  responses: {
    201: { description: "The swap order", content: json(orderSchema) },
    200: { description: "The same order again: this Idempotency-Key was used before", content: json(orderSchema) },
    ...refusals(400, 401, 403, 404, 409, 422, 503),
  },
});

const fundingAddress = createRoute({
  method: "get",
  path: "/api/swap/quotes/{id}/funding-address",
  summary: "Where to pay a locked quote",
  request: { params: quoteId },
  responses: {
    200: { description: "An address", content: json(fundingAddressSchema) },
    ...refusals(401, 403, 404, 409),
  },
});

/** Quotes: asked for, and looked at by whoever asked. */
export function quoteRoutes(x: ExchangeContext): OpenAPIHono<Env> {
  return createRouter()
    .openapi(makeQuote, async (c) => {
      const quote = await createQuote(x, requireTrader(c).accountId, c.req.valid("json"));
      return c.json(toQuote(quote, quote.createdAt), 201);
    })
    .openapi(activeQuote, async (c) => {
      const quote = await getActiveQuote(x, requirePasskey(c).accountId);
      return c.json(toQuote(quote, await x.clock.now(x.db)), 200);
    })
    .openapi(oneQuote, async (c) => {
      const quote = await getOwnQuote(x.db, requirePasskey(c).accountId, c.req.valid("param").id);
      return c.json(toQuote(quote, await x.clock.now(x.db)), 200);
    })
    .openapi(lock, async (c) => {
      const caller = requireTrader(c);
      const key = readIdempotencyKey(c.req.header("Idempotency-Key"));
      const { order, made } = await lockQuote(x, caller, c.req.valid("param").id, c.req.valid("json"), key);
      const view = await toOrder(x, order);
      return made ? c.json(view, 201) : c.json(view, 200);
    })
    .openapi(fundingAddress, async (c) => {
      const caller = requirePasskey(c);
      return c.json(await getFundingAddress(x, caller.accountId, c.req.valid("param").id), 200);
    });
}

function readIdempotencyKey(header: string | undefined): string {
  if (!header) throw new ExchangeError("idempotency_key_missing");
  if (!/^[\x21-\x7e]{1,200}$/.test(header)) {
    throw new ExchangeError("bad_request", { message: "An Idempotency-Key is 1 to 200 visible ASCII characters." });
  }
  return header;
}
