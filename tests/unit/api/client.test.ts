import { describe, expect, it, vi } from "vitest";
import { createApiClient } from "~/api/client";
import { ApiContractError, ApiError, ApiUnreachableError } from "~/api/errors";
import { makeOrder } from "../../support/orders";
import { makeQuote } from "../../support/quotes";
import { makeRates } from "../../support/rates";

const user = {
  id: "u1",
  email: "ada@example.org",
  email_verified: true,
  created_at: "2026-01-01T00:00:00.000Z",
  is_active: true,
  kyc_status: "approved",
  passkey_authenticated: true,
};

function client(
  responses: (() => Response | Promise<Response>)[],
  options: { waitBudgetMs?: number; timeoutMs?: number } = {},
) {
  const requests: {
    at: number;
    method: string;
    url: string;
    token: string | null;
    body: string;
    key: string | null;
  }[] = [];
  let token: string | null = "token-1";
  const api = createApiClient({
    baseUrl: "http://exchange.invalid/base/",
    accessToken: () => token,
    fetch: async (request) => {
      requests.push({
        at: performance.now(),
        method: request.method,
        url: request.url,
        token: request.headers.get("x-auth-token"),
        body: await request.text(),
        key: request.headers.get("idempotency-key"),
      });
      const respond = responses[Math.min(requests.length, responses.length) - 1];
      return respond ? respond() : new Response(null, { status: 404 });
    },
    ...options,
  });
  return {
    api,
    requests,
    setToken: (value: string | null) => {
      token = value;
    },
  };
}

const json =
  (body: unknown, status = 200, headers?: HeadersInit) =>
  () =>
    Response.json(body, { status, headers });
const refused = (status: number, headers?: HeadersInit) =>
  json({ detail: { message: "No.", code: "rate_limited" } }, status, headers);
const offline = () => {
  throw new TypeError("fetch failed");
};
const rates = makeRates();

describe("the API client", () => {
  it("C01 sends the current access token in X-Auth-Token with every request", async () => {
    const { api, requests, setToken } = client([json(user)]);
    await api.getCurrentUser();
    setToken("token-2");
    await api.getCurrentUser();
    setToken(null);
    await api.getCurrentUser();
    expect(requests.map(({ token }) => token)).toEqual(["token-1", "token-2", null]);
    expect(requests[0]?.url).toBe("http://exchange.invalid/base/api/users/me");
  });

  it("C01 sends the access token with every method, and with calls that have their own headers", async () => {
    const { api, requests } = client([json({})]);
    await Promise.allSettled([
      api.requestEmailCode("ada@example.org"),
      api.lockQuote(7, { delivery_address_id: "a", refund_address_id: "b" }, "key"),
      api.renamePasskey("p", "Phone"),
      api.endOtherSessions(),
      api.orderEvents("o", "5"),
    ]);
    expect(requests.map(({ method }) => method).sort()).toEqual(["DELETE", "GET", "PATCH", "POST", "POST"]);
    expect(new Set(requests.map(({ token }) => token))).toEqual(new Set(["token-1"]));
  });

  it("C11 throws status, code, message, fields and Retry-After for any status of 400 or more", async () => {
    const body = { detail: { message: "Not valid.", code: "invalid", fields: { address: "Too short." } } };
    const { api } = client([json(body, 422, { "Retry-After": "7" })]);
    const error = await api.addAddress({ type: "MOB", address: "x" }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: "invalid",
      message: "Not valid.",
      fields: { address: "Too short." },
      retryAfter: 7,
    });
  });

  it.each([429, 500, 501, 502, 503, 504, 599])("C11 retries a GET up to three times on %i", async (status) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const { api, requests } = client([refused(status)]);
      const outcome = api.getRates().catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await outcome).toMatchObject({ status });
      expect(requests).toHaveLength(4);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["the longest", 1, [0, 250, 750, 1_750]],
    ["the shortest", 0, [0, 125, 375, 875]],
  ])("C11 K05 doubles the wait after every attempt, with jitter: %s waits", async (_name, random, expected) => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(random);
    try {
      const startedAt = Date.now();
      const attempts: number[] = [];
      const { api } = client([
        () => {
          attempts.push(Date.now() - startedAt);
          return refused(503)();
        },
      ]);
      const outcome = api.getRates().catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await outcome).toMatchObject({ status: 503 });
      expect(attempts).toEqual(expected);
    } finally {
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });

  it("C11 retries after a network error", async () => {
    const { api, requests } = client([offline, json(rates)]);
    expect((await api.getRates()).fee_bps).toBe(50);
    expect(requests).toHaveLength(2);
    expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThan(100);
  });

  it("C11 does not retry a POST that creates something", async () => {
    const { api, requests } = client([offline]);
    await expect(
      api.createQuote({ source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "10" }),
    ).rejects.toBeInstanceOf(ApiUnreachableError);
    expect(requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 409, 422])("C11 does not retry after %i", async (status) => {
    const { api, requests } = client([refused(status)]);
    await expect(api.getRates()).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  it("C11 waits for Retry-After before the next attempt", async () => {
    const { api, requests } = client([refused(429, { "Retry-After": "1" }), json(rates)]);
    await api.getRates();
    expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("C11 gives up if the total wait would exceed the budget", async () => {
    const { api, requests } = client([refused(503, { "Retry-After": "120" })], { waitBudgetMs: 2_000 });
    await expect(api.getRates()).rejects.toMatchObject({ status: 503, retryAfter: 120 });
    expect(requests).toHaveLength(1);
  });

  it("C11 K05 gives up after 60 s without a response, and not earlier", async () => {
    vi.useFakeTimers();
    try {
      const { api, requests } = client([() => new Promise<Response>(() => undefined)]);
      let outcome: unknown;
      const call = api.getRates().catch((error: unknown) => {
        outcome = error;
      });
      await vi.advanceTimersByTimeAsync(59_900);
      expect(outcome).toBeUndefined();
      await vi.advanceTimersByTimeAsync(200);
      await call;
      expect(outcome).toBeInstanceOf(ApiUnreachableError);
      expect(requests).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it("C11 K05 gives up after the timeout", async () => {
    const { api } = client([() => new Promise<Response>(() => undefined)], { timeoutMs: 50 });
    await expect(api.getRates()).rejects.toBeInstanceOf(ApiUnreachableError);
  });

  it("C11 K05 gives up on an error whose body stalls, even for streams", async () => {
    const stalled = () => new Response(new ReadableStream(), { status: 503 });
    const { api } = client([stalled], { timeoutMs: 50 });
    await expect(api.getRates()).rejects.toBeInstanceOf(ApiUnreachableError);
    await expect(api.orderEvents("o1")).rejects.toBeInstanceOf(ApiUnreachableError);
    await expect(api.exportData()).rejects.toBeInstanceOf(ApiUnreachableError);
  });

  it("C02 C03 K06 retries the user and the assets once", async () => {
    const users = client([refused(503)]);
    await expect(users.api.getCurrentUser()).rejects.toMatchObject({ status: 503 });
    expect(users.requests).toHaveLength(2);
    const assets = client([refused(503)]);
    await expect(assets.api.getAssets()).rejects.toMatchObject({ status: 503 });
    expect(assets.requests).toHaveLength(2);
  });

  it("throws if the response does not match the contract", async () => {
    const { api } = client([json({ ...user, kyc_status: "maybe" })]);
    await expect(api.getCurrentUser()).rejects.toBeInstanceOf(ApiContractError);
  });

  it("reads entities that have only the fields in the specification", async () => {
    const { status: _, ...quote } = makeQuote();
    const { hold: _hold, payout_not_before: _wait, ...order } = makeOrder();
    const { api } = client([
      json([{ symbol: "USDT" }, { symbol: "MOB" }, { symbol: "BTC" }]),
      json(quote),
      json({ items: [order], next: null }),
    ]);
    expect(await api.getAssets()).toHaveLength(3);
    expect(await api.getQuote(7)).toEqual({ ...quote, status: "open" });
    expect((await api.listOrders()).items).toEqual([{ ...order, hold: null, payout_not_before: null }]);
  });

  it("C04 V09 E07 E08 requires 202 with challenge_id and challenge for an e-mail sign-in", async () => {
    const good = client([json({ challenge_id: "c", challenge: "email" }, 202)]);
    expect(await good.api.requestEmailCode("ada@example.org")).toEqual({ challenge_id: "c", challenge: "email" });
    expect(JSON.parse(good.requests[0]?.body ?? "")).toEqual({
      auth_method: "email",
      credentials: { identifier: "ada@example.org" },
    });
    await expect(
      client([json({ challenge_id: "c", challenge: "email" }, 200)]).api.requestEmailCode("a@b.c"),
    ).rejects.toThrow("Authentication failed: Server Error");
    await expect(client([json({ challenge_id: "c" }, 202)]).api.requestEmailCode("a@b.c")).rejects.toThrow(
      /^Server Error$/,
    );
  });

  it("C05 V08 E07 requires an access token to complete a sign-in", async () => {
    const { api, requests } = client([json({ access_token: "a", refresh_token: "r" })]);
    expect(await api.signInByCode("c", "123456")).toEqual({ access_token: "a", refresh_token: "r" });
    expect(requests[0]?.url).toBe("http://exchange.invalid/base/api/auth");
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      credentials: { challenge_id: "c", auth_data: { code: "123456" } },
    });
    const refused = ["", null, "a".repeat(1_401), "a\nb", "€"];
    const bodies = refused.flatMap((token) => [{ access_token: token }, { access_token: "a", refresh_token: token }]);
    for (const body of [{ refresh_token: "r" }, ...bodies]) {
      await expect(client([json(body)]).api.signInByCode("c", "1")).rejects.toThrow(
        "Authentication failed: Server Error",
      );
    }
  });

  it("C06 C07 C08 C09 C10 sends the paths and payloads of the specification", async () => {
    const { api, requests } = client([
      () =>
        Response.json(
          { challenge_id: "c", challenge: { x: 1 }, options: { x: 1 }, access_token: "a" },
          { status: 202 },
        ),
    ]);
    await api.startPasskeySignIn();
    await api.finishPasskeySignIn("c", { id: "k" });
    await api.refresh("r");
    await api.startPasskeySignInFor("ada@example.org");
    await api.startRegistration("ada@example.org");
    await api.finishRegistration("ada@example.org", "c", { id: "k" });
    expect(
      requests.map(({ method, url, body }) => [method, new URL(url).pathname.replace("/base", ""), JSON.parse(body)]),
    ).toEqual([
      ["POST", "/api/auth", { auth_method: "passkey" }],
      ["POST", "/api/auth", { auth_method: "passkey", credentials: { challenge_id: "c", auth_data: { id: "k" } } }],
      ["POST", "/api/auth/refresh", { refresh_token: "r" }],
      ["POST", "/api/auth/passkey/login-options", { identifier: "ada@example.org" }],
      ["POST", "/api/auth/passkey/register", { identifier: "ada@example.org" }],
      [
        "POST",
        "/api/auth/passkey/register/verify",
        { identifier: "ada@example.org", challenge_id: "c", attestation: { id: "k" } },
      ],
    ]);
  });

  it("returns null if there is no active quote", async () => {
    expect(await client([refused(404)]).api.getActiveQuote()).toBeNull();
  });
});
