import type { OpenAPIHono } from "@hono/zod-openapi";
import * as contract from "../../api/contract";
import { errorCodes } from "../errors";
import type { Env } from "./env";

const description = `Swaps between USDT and MOB.

The server in front of the API refuses some requests before they reach an operation. These responses have the same
form as other errors: 405 (method not supported), 410 (a query parameter \`_data\`), 417 (an expectation other than
\`100-continue\`), 421 (wrong host) and 431 (more than 100 headers, or an X-Auth-Token of more than 1,400 characters).
All but 405 have the code \`bad_request\`. Bytes that are not an HTTP request, headers of more than 16 KiB and requests
that take too long get a 400, 431 or 408 response with a plain-text body.

If that server runs apart from the exchange and gets no response from it, it returns 502, or after 60 seconds
504, and the code \`internal\`.`;

/** The schemas that clients need types for. The names of other inlined schemas would be arbitrary. */
const named = {
  Asset: contract.assetSchema,
  DeliveryAddress: contract.deliveryAddressSchema,
  Error: contract.errorSchema,
  ErrorDetail: contract.errorSchema.shape.detail,
  FundingAddress: contract.fundingAddressSchema,
  Order: contract.orderSchema,
  OrderPage: contract.orderPageSchema,
  Passkey: contract.passkeySchema,
  PriceAlert: contract.priceAlertSchema,
  Quote: contract.quoteSchema,
  Rates: contract.ratesSchema,
  Session: contract.sessionSchema,
  Status: contract.statusSchema,
  Tokens: contract.tokensSchema,
  TrackedOrder: contract.trackedOrderSchema,
  Transaction: contract.transactionSchema,
  User: contract.userSchema,
};

const methods = ["get", "post", "patch", "delete"] as const;
const retryAfter = {
  description: "In how many seconds to try again",
  schema: { type: "integer", minimum: 0 },
} as const;

/** Creates the OpenAPI document of all routes. Takes tens of milliseconds, so call it once for each app. */
export function makeDocument(app: OpenAPIHono<Env>, origin: string): object {
  const token = { type: "apiKey", in: "header", name: "X-Auth-Token" } as const;
  app.openAPIRegistry.registerComponent("securitySchemes", "token", token);
  for (const [name, schema] of Object.entries(named)) app.openAPIRegistry.register(name, schema);
  const document = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Antelope exchange", version: "1", description },
    servers: [{ url: origin }],
  });
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item[method];
      if (!operation) continue;
      const { responses = {} } = operation;
      operation.operationId = toOperationId(method, path);
      operation.security ??= 401 in responses ? [{ token: [] }] : [];
      for (const status of [429, 503])
        Object.assign(responses[status] ?? {}, { headers: { "Retry-After": retryAfter } });
    }
  }
  const schemas = document.components?.schemas ?? {};
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  // The site itself accepts any code, because a remote exchange may be newer.
  const { ErrorDetail: detail } = schemas;
  if (detail && "properties" in detail) Object.assign(detail.properties?.code ?? {}, { enum: errorCodes });
  const parts = Object.entries(schemas).map(([name, schema]) => [name, linkMembers(schema, names)]);
  const components = { ...document.components, schemas: Object.fromEntries(parts) };
  return { ...document, paths: link(document.paths, names), components };
}

/** `getSwapQuotesByIdFundingAddress` for GET /api/swap/quotes/{id}/funding-address. */
function toOperationId(method: string, path: string): string {
  const words = path
    .replace("/api/", "")
    .replaceAll("{", "by-")
    .split(/[^A-Za-z]+/);
  return method + words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

/** Replaces each schema that has a name with a reference to it. */
function link(value: unknown, names: Map<string, string>): unknown {
  const name = isObject(value) && "properties" in value ? names.get(JSON.stringify(value)) : undefined;
  return name === undefined ? linkMembers(value, names) : { $ref: `#/components/schemas/${name}` };
}

function linkMembers(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => link(item, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, link(member, names)]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
