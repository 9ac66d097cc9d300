import { Writable } from "node:stream";
import { sql } from "drizzle-orm";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorSchema } from "~/api/contract";
import { describeError } from "~/exchange.server/describe-error";
import { createApi } from "~/exchange.server/http/app";
import { createTestExchange, type TestExchange, testOrigin } from "../../support/exchange";
import { openTestDatabase, testDatabases } from "../../support/test-database";

const listOf = (count: number, value: unknown) => Array.from({ length: count }, () => value);

/** Bodies with a list of values, each of which is wrong. */
const longLists: [string, string, (count: number) => unknown][] = [
  ["documents", "/api/users/me/consents", (count) => ({ accepted: listOf(count, {}) })],
  [
    "transports of a new passkey",
    "/api/auth/passkey/register/verify",
    (count) => ({
      identifier: "a@example.org",
      challenge_id: "x",
      attestation: { id: "x", response: { transports: listOf(count, 1) } },
    }),
  ],
  [
    "transports of a passkey",
    "/api/auth",
    (count) => ({
      credentials: { challenge_id: "x", auth_data: { id: "x", response: { transports: listOf(count, 1) } } },
    }),
  ],
];

describe("the HTTP layer", () => {
  let exchange: TestExchange;
  const lines: string[] = [];
  let failing = false;
  beforeAll(async () => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    });
    exchange = await createTestExchange({ context: { log: pino({ level: "trace" }, stream) } });
    const { db } = exchange.ctx;
    exchange.ctx.db = new Proxy(db, {
      get(target, property) {
        if (failing && ["select", "execute", "_"].includes(String(property)))
          throw new Error("the database is unavailable, canary-7f3");
        const value = Reflect.get(target, property);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  });
  afterAll(() => exchange.close());

  it("returns errors in the contract's form, with a request id, and never cached (T10)", async () => {
    const responses = await Promise.all([
      exchange.api("GET", "/api/nothing/here"),
      exchange.api("GET", "/api/users/me"),
      exchange.api("PUT", "/api/users/me", { body: {} }),
      exchange.api("POST", "/api/auth", { rawBody: "{" }),
      exchange.api("POST", "/api/auth", { body: {} }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 401, 405, 400, 422]);
    for (const { body, headers } of responses) {
      expect(() => errorSchema.parse(body)).not.toThrow();
      expect(headers.get("X-Request-Id")).toMatch(/^[\w-]{22}$/);
      expect(headers.get("Cache-Control")).toBe("private, no-store");
    }
    expect(responses[2]?.headers.get("Allow")).toBe("GET, HEAD");
  });

  it("uses the id of the visitor's request, so that one id finds all log lines", async () => {
    const request = new Request(`${testOrigin}/api/users/me`);
    const response = await createApi(exchange.ctx).fetch(request, { requestId: "of-the-visitor" });
    expect([response.status, response.headers.get("X-Request-Id")]).toEqual([401, "of-the-visitor"]);
  });

  it("names the field that is wrong in a 422", async () => {
    const response = await exchange.api("POST", "/api/auth/refresh", { body: { refresh_token: 5, more: true } });
    expect(response.status).toBe(422);
    expect(response.body.detail.code).toBe("invalid");
    expect(Object.keys(response.body.detail.fields)).toContain("refresh_token");
    const union = await exchange.api("POST", "/api/auth", {
      body: { auth_method: "email", credentials: { identifier: "no address" } },
    });
    expect(union.body.detail.fields).toEqual({
      "credentials.identifier": "Enter your e-mail address, such as ada@example.org.",
    });
  });

  it.each([
    ["a repeated key", '{"refresh_token":"a","refresh_token":"b"}'],
    ["a repeated key, once with an escape", '{"refresh_token":"a","refresh\\u005ftoken":"b"}'],
    [
      "a repeated key in a nested object",
      '{"auth_method":"passkey","credentials":{"challenge_id":"x","auth_data":{"id":"a","id":"b"}}}',
    ],
    ["__proto__", '{"__proto__":{"admin":true},"refresh_token":"a"}'],
    ["constructor", '{"refresh_token":"a","x":{"constructor":{"prototype":{}}}}'],
    ["a NUL character", '{"refresh_token":"\\u0000"}'],
    ["a truncated document", '{"refresh_token":'],
  ])("T13 refuses a body with %s: 400", async (_name, rawBody) => {
    for (const path of ["/api/auth/refresh", "/api/auth"]) {
      expect((await exchange.api("POST", path, { rawBody })).status).toBe(400);
    }
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it("T13 accepts a string that contains JSON syntax", async () => {
    const rawBody = '{"refresh_token":"a\\"refresh_token\\":{}[ "}';
    expect((await exchange.api("POST", "/api/auth/refresh", { rawBody })).status).toBe(401);
  });

  it("T13 refuses unknown members, so that a client cannot set its own rights", async () => {
    const body = { auth_method: "email", credentials: { identifier: "a@example.org", is_active: true } };
    expect((await exchange.api("POST", "/api/auth", { body })).status).toBe(422);
    const register = { identifier: "a@example.org", userId: "someone" };
    expect((await exchange.api("POST", "/api/auth/passkey/register", { body: register })).status).toBe(422);
  });

  it("T14 refuses a body above 64 KiB with 413, and a body that is not JSON with 400", async () => {
    const big = await exchange.api("POST", "/api/auth", { body: { auth_method: "x".repeat(65 * 1024) } });
    expect(big.status).toBe(413);
    expect(big.body.detail.code).toBe("body_too_large");
    const form = await exchange.api("POST", "/api/auth", {
      rawBody: "auth_method=email",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(form.status).toBe(400);
    expect((await exchange.api("DELETE", "/api/users/me/passkeys/%00")).status).toBe(400);
  });

  it.each(longLists)("T14 sends a short response to a list of any length: %s", async (_name, path, write) => {
    for (const [count, expected] of [
      [240, [422, "invalid"]],
      [20_000, [400, "bad_request"]],
    ] as const) {
      const { status, body } = await exchange.api("POST", path, { rawBody: JSON.stringify(write(count)) });
      expect([status, body.detail.code]).toEqual(expected);
      expect(JSON.stringify(body).length).toBeLessThan(2_000);
    }
  });

  it.each([
    ["Content-Encoding", "gzip"],
    ["Content-Type", "application/json; charset=utf-16"],
  ])("refuses a body that it cannot decode with 415: %s: %s", async (name, value) => {
    const headers = { [name]: value };
    const body = { auth_method: "passkey" };
    const refused = await exchange.api("POST", "/api/auth", { body, headers });
    expect([refused.status, refused.body.detail.code]).toEqual([415, "encoding_unsupported"]);
    const plain = { "Content-Encoding": "identity", "Content-Type": 'application/json; charset="UTF-8"' };
    expect((await exchange.api("POST", "/api/auth", { body, headers: plain })).status).toBe(202);
  });

  it("refuses a body that claims to be UTF-8 but is not, with 415", async () => {
    const body = Buffer.from('{"auth_method":"\xff\xfe"}', "latin1");
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    const response = await createApi(exchange.ctx).fetch(new Request(`${testOrigin}/api/auth`, init), {});
    expect([response.status, (await response.json()).detail.code]).toEqual([415, "encoding_unsupported"]);
  });

  it("T10 does not let caches keep errors of calls whose other responses they may keep", async () => {
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    const app = createApi({ ...exchange.ctx, clock: { ...exchange.ctx.clock, now: async () => now } });
    const read = (range: string) => app.fetch(new Request(`${testOrigin}/api/rates?range=${range}`), {});
    expect((await read("1h")).headers.get("Cache-Control")).toBe("public, max-age=2");
    failing = true;
    const failed = await read("7d");
    failing = false;
    expect([failed.status, failed.headers.get("Cache-Control")]).toEqual([500, "private, no-store"]);
  });

  it.each([
    [
      "POST",
      "/api/auth",
      { auth_method: "sms", credentials: {} },
      { auth_method: 'expected "email" or "passkey"', "credentials.identifier": "is missing" },
    ],
    ["POST", "/api/auth", { auth_method: "email" }, { credentials: "is missing" }],
    ["POST", "/api/support/messages", { message: "\u200d" }, { message: "1 to 4,000 visible characters" }],
    ["PATCH", "/api/users/me/passkeys/x", { name: "\u200b\u200d\ufeff" }, { name: "1 to 60 visible characters" }],
    ["GET", "/api/swap/quotes/abc", undefined, { id: "a positive integer below 2^53" }],
    ["GET", "/api/swap/quotes/9007199254740992", undefined, { id: "a positive integer below 2^53" }],
  ] as const)("says what it expects: %s %s %j", async (method, path, body, fields) => {
    const refused = await exchange.api(method, path, { body });
    expect([refused.status, refused.body.detail.fields]).toEqual([422, fields]);
  });

  it("T21 T18 reports an unexpected error with only a 500 and a request ID, and does not log tokens or bodies", async () => {
    const { token } = await exchange.signUp("logged@example.org", { kyc: false });
    failing = true;
    const response = await exchange.api("POST", "/api/auth/passkey/login-options", {
      token,
      body: { identifier: "canary-4e1@example.org" },
    });
    failing = false;
    expect(response.status).toBe(500);
    expect(Object.keys(response.body.detail).sort()).toEqual(["code", "message", "request_id"]);
    expect(JSON.stringify(response.body)).not.toContain("canary");
    const all = lines.join("");
    expect(all).toContain(response.body.detail.request_id);
    expect(all).not.toContain(token);
    expect(all).not.toContain("canary-4e1");
    expect(all).not.toContain("logged@example.org");
  });

  it("T18 does not log an error if a client disconnects while sending its body", async () => {
    const body = new ReadableStream({
      // What Node.js does when the connection closes.
      pull: (controller) => controller.error(Object.assign(new Error("aborted"), { code: "ECONNRESET" })),
    });
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body, duplex: "half" as const };
    lines.length = 0;
    const response = await createApi(exchange.ctx).fetch(new Request(`${testOrigin}/api/auth`, init), {});
    expect([response.status, lines.join("")]).toEqual([400, ""]);
  });

  it.each(testDatabases)("T18 logs an error of %s with its query and code, never with its parameters", async (kind) => {
    const database = await openTestDatabase(kind);
    const error = await database.db
      .execute(sql`select ${"canary-99"}::int`)
      .then(() => null)
      .catch((cause: unknown) => cause);
    expect(JSON.stringify(describeError(error))).not.toContain("canary-99");
    expect(describeError(error)).toMatchObject({ query: "select $1::int", cause: { code: "22P02" } });
    await database.close();
  });

  it("responds to everything with 503 `starting` until the exchange is ready", async () => {
    let ready = false;
    const starting = await createTestExchange({ api: { isReady: () => ready } });
    const early = await starting.api("POST", "/api/auth", { body: { auth_method: "passkey" } });
    expect(early.status).toBe(503);
    expect(early.body.detail.code).toBe("starting");
    expect(early.headers.get("Retry-After")).toBe("1");
    expect((await starting.api("GET", "/api/status")).status).toBe(503);
    ready = true;
    expect((await starting.api("POST", "/api/auth", { body: { auth_method: "passkey" } })).status).toBe(202);
    expect((await starting.api("GET", "/api/status")).status).toBe(200);
    await starting.close();
  });

  it("limits requests per network and writes per account to a number per minute, with 429 and Retry-After", async () => {
    const limits = { ...exchange.ctx.config.limits, requestsPerAddressPerMinute: 30, writesPerAccountPerMinute: 5 };
    const limited = await createTestExchange({ config: { limits } });
    const statuses: number[] = [];
    for (let i = 0; i < 31; i += 1) {
      statuses.push((await limited.api("GET", "/api/users/me", { remoteAddress: "192.0.2.1" })).status);
    }
    expect(statuses.indexOf(429)).toBe(30);
    const mapped = await limited.api("GET", "/api/users/me", { remoteAddress: "::ffff:192.0.2.1" });
    expect(mapped.status).toBe(429);
    expect(Number(mapped.headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await limited.api("GET", "/api/users/me", { remoteAddress: "192.0.2.2" })).status).toBe(401);
    expect((await limited.api("GET", "/api/users/me")).status, "in-process calls have no address").toBe(401);

    const { token } = await limited.signUp(undefined, { kyc: false });
    const writes: number[] = [];
    for (let i = 0; i < 6; i += 1) {
      writes.push((await limited.api("PATCH", "/api/users/me/passkeys/none", { token, body: { name: "x" } })).status);
    }
    expect(writes.filter((status) => status === 429).length).toBeGreaterThanOrEqual(1);
    expect((await limited.api("GET", "/api/users/me", { token })).status, "reads are not limited").toBe(200);
    await limited.close();
  });

  it("serves an OpenAPI 3.1 document with every call of the contract", async () => {
    const { status, body } = await exchange.api("GET", "/api/openapi.json");
    expect(status).toBe(200);
    expect(body.openapi).toBe("3.1.0");
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        "/api/auth",
        "/api/auth/refresh",
        "/api/auth/logout",
        "/api/auth/passkey/login-options",
        "/api/auth/passkey/register",
        "/api/auth/passkey/register/verify",
        "/api/users/me",
        "/api/users/me/passkeys",
        "/api/users/me/passkeys/{id}",
        "/api/users/me/sessions",
        "/api/users/me/sessions/{id}",
        "/api/kyc",
        "/api/kyc/webhook",
        "/api/swap/swaps/{id}/events",
      ]),
    );
    const stream = body.paths["/api/swap/swaps/{id}/events"].get.responses["200"].content["text/event-stream"].schema;
    expect(stream.properties).toMatchObject({
      event: { enum: ["order"] },
      id: { format: "date-time" },
      data: { properties: { status: { enum: expect.arrayContaining(["awaiting_deposit"]) } } },
    });
    expect(body.components.securitySchemes.token).toEqual({ type: "apiKey", in: "header", name: "X-Auth-Token" });
  });
});
