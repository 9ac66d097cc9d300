import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import { deliveryAddressRequestSchema, deliveryAddressSchema, pageQuerySchema, pageSchema } from "../../api/contract";
import { addressTypes } from "../../lib/assets";
import { addAddress, listAddresses, removeAddress, toDeliveryAddress } from "../addresses/delivery-addresses";
import type { ExchangeContext } from "../context";
import { type Env, requirePasskey } from "./env";
import { parseCursor, toPage } from "./pages";
import { createRouter, json, refusals } from "./router";

const list = createRoute({
  method: "get",
  path: "/api/swap/delivery-addresses",
  summary: "My delivery and refund addresses, newest first",
  request: { query: pageQuerySchema.extend({ type: z.enum(addressTypes).optional() }) },
  responses: {
    200: { description: "A page", content: json(pageSchema(deliveryAddressSchema)) },
    ...refusals(401, 403, 422),
  },
});

const add = createRoute({
  method: "post",
  path: "/api/swap/delivery-addresses",
  summary: "Keep an address; a refusal says in words what is wrong with it",
  request: { body: { content: json(deliveryAddressRequestSchema), required: true } },
  responses: {
    201: { description: "The address", content: json(deliveryAddressSchema) },
    200: { description: "The same address was kept already, with this label", content: json(deliveryAddressSchema) },
    ...refusals(400, 401, 403, 409, 422),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/api/swap/delivery-addresses/{id}",
  summary: "Take an address off the list; orders under way keep it",
  request: { params: z.object({ id: z.string().min(1).max(64) }) },
  responses: { 204: { description: "It is gone" }, ...refusals(401, 403, 404) },
});

/** Delivery addresses of the caller: list, add, remove. */
export function addressRoutes(x: ExchangeContext): OpenAPIHono<Env> {
  return createRouter()
    .openapi(list, async (c) => {
      const { accountId } = requirePasskey(c);
      const { cursor, limit, type } = c.req.valid("query");
      const rows = await listAddresses(x.db, accountId, {
        type: type ?? null,
        limit: limit + 1,
        before: cursor ? parseCursor(cursor) : null,
      });
      const page = toPage(rows, limit, toDeliveryAddress, (row) => ({ at: row.createdAt, id: row.id }));
      return c.json(page, 200);
    })
    .openapi(add, async (c) => {
      const { accountId } = requirePasskey(c);
      const { row, made } = await addAddress(x, accountId, c.req.valid("json"));
      return made ? c.json(toDeliveryAddress(row), 201) : c.json(toDeliveryAddress(row), 200);
    })
    .openapi(remove, async (c) => {
      const { accountId } = requirePasskey(c);
      await removeAddress(x, accountId, c.req.valid("param").id);
      return c.body(null, 204);
    });
}
