import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import {
  deliveryAddressRequestSchema,
  deliveryAddressSchema,
  ensNameRequestSchema,
  ensNameSchema,
  pageQuerySchema,
  pageSchema,
} from "../../api/contract";
import { addressTypes } from "../../lib/assets";
import {
  addAddress,
  removeAddress,
  selectAddresses,
  toDeliveryAddress,
  toListedAddress,
} from "../addresses/delivery-addresses";
import { createEnsLookup } from "../addresses/ens-names";
import type { RunningContext } from "../context";
import { toPage, toPageRequest } from "../db/pages";
import { ExchangeError } from "../errors";
import type { SharedLimits } from "../limits/shared-limits";
import type { Env } from "./env";
import { idParam } from "./params";
import { consume, limitPerNetwork } from "./rate-limits";
import { requirePasskey } from "./require-caller";
import { createRouter, json, refusals } from "./router";

const list = createRoute({
  method: "get",
  path: "/api/swap/delivery-addresses",
  summary: "List your saved addresses, newest first",
  request: { query: pageQuerySchema.extend({ type: z.enum(addressTypes).optional() }) },
  responses: {
    200: { description: "A page of addresses", content: json(pageSchema(deliveryAddressSchema)) },
    ...refusals(401, 403, 422),
  },
});

const add = createRoute({
  method: "post",
  path: "/api/swap/delivery-addresses",
  summary: "Save an address; the error message says what is wrong with it",
  request: { body: { content: json(deliveryAddressRequestSchema), required: true } },
  responses: {
    201: { description: "The address", content: json(deliveryAddressSchema) },
    200: { description: "The address was already saved; its label stays", content: json(deliveryAddressSchema) },
    ...refusals(401, 403, 409, 422),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/api/swap/delivery-addresses/{id}",
  summary: "Remove a saved address; orders in progress still use it",
  request: { params: idParam },
  responses: { 204: { description: "Removed" }, ...refusals(401, 403, 404, 422) },
});

const findName = createRoute({
  method: "post",
  path: "/api/swap/ens-names",
  summary: "Look up the Ethereum address of a name such as alice.eth; 404 if this exchange does not look up names",
  request: { body: { content: json(ensNameRequestSchema), required: true } },
  responses: {
    200: { description: "The name in its normal form, and its address", content: json(ensNameSchema) },
    ...refusals(401, 403, 404, 422),
  },
});

/** Each lookup is a request to a node that the operator pays for, and anyone can create accounts. */
const lookupsPerAccountPerMinute = 10;
const lookupsPerNetworkPerMinute = 30;

/** The saved addresses of the caller: list, add, remove. Also looks up ENS names. */
export function addressRoutes(ctx: RunningContext, limits: SharedLimits): OpenAPIHono<Env> {
  const { ensRpcUrl } = ctx.config;
  const findEnsAddress = ensRpcUrl === null ? null : createEnsLookup({ rpcUrl: ensRpcUrl, log: ctx.log });
  const lookups = limits.perMinute("lookups", lookupsPerAccountPerMinute);
  const app = createRouter();
  app.use(findName.path, limitPerNetwork(limits.perMinute("lookups-by-network", lookupsPerNetworkPerMinute)));
  return app
    .openapi(findName, async (c) => {
      const { accountId } = requirePasskey(c);
      if (findEnsAddress === null) throw new ExchangeError("not_found");
      await consume(lookups, accountId);
      return c.json(await findEnsAddress(c.req.valid("json").name), 200);
    })
    .openapi(list, async (c) => {
      const { accountId } = requirePasskey(c);
      const { type, ...query } = c.req.valid("query");
      const page = { ...toPageRequest(query), type: type ?? null };
      const { rows, next } = toPage(await selectAddresses(ctx.db, accountId, page), page.limit);
      return c.json({ items: rows.map(toListedAddress), next }, 200);
    })
    .openapi(add, async (c) => {
      const { row, created } = await addAddress(ctx, requirePasskey(c), c.req.valid("json"));
      return created ? c.json(toDeliveryAddress(row), 201) : c.json(toDeliveryAddress(row), 200);
    })
    .openapi(remove, async (c) => {
      const { accountId } = requirePasskey(c);
      await removeAddress(ctx, accountId, c.req.valid("param").id);
      return c.body(null, 204);
    });
}
