import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { createApi } from "~/exchange.server/http/app";
import { connectRemoteExchange } from "~/exchange-binding/remote-exchange.server";
import { createTestExchange, type SignedUp, testOrigin } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { openOrder, prepareForSwaps } from "../../support/open-order";
import { findUndocumented, type OpenApi } from "../../support/openapi";

/** `api()` compares every response of every test with the OpenAPI document; here all operations get odd requests. */
describe("the OpenAPI document", () => {
  const exchange = forAllTests(() => createTestExchange({ config: { limits: { ...unlimited } } }));
  let customer: SignedUp;
  let document: OpenApi;
  beforeAll(async () => {
    await prepareForSwaps(exchange);
    customer = await exchange.signUp();
    document = (await exchange.api<OpenApi>("GET", "/api/openapi.json")).body;
  });

  it("T21 documents every response of every operation to odd requests", async () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(operations.length).toBeGreaterThanOrEqual(32);
    const ids = ["x", "1", "0", "a".repeat(65), "%20", "%00", "%ff", "-1", "99999999999999999999"];
    const queries = ["", "?limit=0", "?cursor=x", "?range=9d", "?type=BTC", "?quote_id=x", "?limit=1&limit=2"];
    const bodies = [
      "",
      "{",
      "{}",
      "null",
      "[]",
      '{"a":1,"a":2}',
      '{"choice":"refund"}',
      JSON.stringify({ label: "x".repeat(70_000) }),
    ];
    const statuses = new Set<number>();
    for (const [method, path] of operations) {
      const paths = path.includes("{id}") ? ids.map((id) => path.replace("{id}", id)) : [path];
      const targets = paths.flatMap((target, i) => (i === 0 ? queries.map((query) => target + query) : [target]));
      for (const target of targets) {
        // The stream of an order that exists would not end.
        for (const token of [undefined, customer.token, "aa_wrong"]) {
          const isRead = method === "GET";
          for (const rawBody of isRead || target !== targets[0] ? [undefined] : bodies) {
            // Ends the session that the following calls need.
            if (token === customer.token && /logout/.test(path) && !rawBody?.startsWith('{"a')) continue;
            const headers = { "Idempotency-Key": "key" };
            statuses.add((await exchange.api(method, target, { token, rawBody, headers })).status);
          }
        }
      }
    }
    expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 404, 413, 422]));
  }, 120_000);

  it("T15 is generated once, however often it is requested", async () => {
    const app = createApi(exchange.ctx);
    const make = vi.spyOn(app, "getOpenAPI31Document");
    const texts = new Set<string>();
    for (let i = 0; i < 3; i += 1) {
      const response = await app.fetch(new Request(`${testOrigin}/api/openapi.json`), {});
      expect(response.headers.get("Content-Type")).toBe("application/json");
      texts.add(await response.text());
    }
    expect([make.mock.calls.length, texts.size]).toEqual([1, 1]);
  });

  it("has what client generators need: names, who may call, and the limits of headers", () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
    const { get: funding } = document.paths["/api/swap/quotes/{id}/funding-address"] ?? {};
    expect(funding).toMatchObject({ operationId: "getSwapQuotesByIdFundingAddress", security: [{ token: [] }] });
    expect(funding?.responses[200]?.content?.["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/FundingAddress",
    });
    expect(funding?.responses[429]).toMatchObject({ headers: { "Retry-After": { schema: { type: "integer" } } } });
    expect(document.components?.schemas?.OrderPage?.properties?.items?.items).toEqual({
      $ref: "#/components/schemas/Order",
    });
    const codes = document.components?.schemas?.ErrorDetail?.properties?.code?.enum;
    expect(codes).toEqual(expect.arrayContaining(["order_closed", "rate_limited"]));
    expect(document.paths["/api/rates"]?.get?.security).toEqual([]);
    expect(document.paths["/api/auth"]?.post?.security).toEqual([{ token: [] }, {}]);
    const lock = document.paths["/api/swap/quotes/{id}/lock"]?.post;
    expect(lock?.parameters).toContainEqual(
      expect.objectContaining({
        name: "idempotency-key",
        required: true,
        schema: expect.objectContaining({ minLength: 1, maxLength: 200 }),
      }),
    );
  });

  it("leaves out headers that a site with API_URL does not pass on to the exchange (T45)", async () => {
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const parameters = operations.flatMap((operation) => operation.parameters ?? []);
    const { token } = document.components?.securitySchemes ?? {};
    const names = new Set([...parameters, token].flatMap((part) => (part?.in === "header" ? [part.name] : [])));
    expect([...names].sort()).toEqual(["X-Auth-Token", "idempotency-key", "x-kyc-signature", "x-tracking-token"]);

    const received: IncomingHttpHeaders[] = [];
    const server = createServer(({ headers }, response) => {
      received.push(headers);
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const headers = Object.fromEntries([...names].map((name) => [name.toLowerCase(), `of ${name}`]));
      const request = new Request(`${testOrigin}/api/kyc/webhook`, { method: "POST", body: "{}", headers });
      await connectRemoteExchange(url).fetch(request);
      expect(received).toMatchObject([headers]);
    } finally {
      server.close();
    }
  });

  it("describes the responses of the calls for an order", async () => {
    // On a slow machine, the price and the checks of the chains are too old after the odd requests.
    await prepareForSwaps(exchange);
    const order = await openOrder(exchange, customer);
    const { token } = customer;
    expect((await exchange.api("GET", `/api/swap/swaps/${order.id}`, { token })).status).toBe(200);
    expect((await exchange.api("GET", "/api/swap/swaps", { token })).body.items).toHaveLength(1);
    const path = `/api/swap/quotes/${order.quote_id}/funding-address`;
    expect((await exchange.api("GET", path, { token })).status).toBe(200);
    expect((await exchange.api("POST", `/api/swap/swaps/${order.id}/cancel`, { token })).status).toBe(200);
  });

  it("is compared with the status, the content type and every member of a response", async () => {
    const headers = new Headers({ "Content-Type": "application/json" });
    const find = (status: number, body: unknown) =>
      findUndocumented(document, "GET", "/api/users/me", { status, body, headers }).join();
    const { body } = await exchange.api("GET", "/api/users/me", { token: customer.token });
    expect(find(200, body)).toBe("");
    expect(find(418, body)).toContain("undocumented status");
    expect(find(200, { ...body, more: 1 })).toContain("$.more: is not documented");
    expect(find(200, { ...body, email: 5 })).toContain("$.email: must be string");
    expect(find(401, body)).toContain("$.detail: is missing");
  });
});

const unlimited = {
  writesPerAccountPerMinute: 1e6,
  requestsPerAddressPerMinute: 1e6,
  codesPerRecipientPer10Minutes: 100,
  codesPerRecipientPerDay: 100,
  codesPerSenderPerHour: 1000,
  messagesPerSenderPerHour: 1000,
  applicationsPerSenderPerDay: 1000,
};
