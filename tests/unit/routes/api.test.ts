import { expect, it, vi } from "vitest";
import "../../support/site";
import type { ClientInfo } from "~/exchange-binding/exchange";
import { action, loader } from "~/routes/api/route";

it.each([
  ["GET", undefined, loader],
  ["POST", '{"refresh_token":"r"}', action],
])(
  "passes a %s on to the exchange, with the visitor's address and the id of the request, and its answer back",
  async (method, body, handle) => {
    const client = { remoteAddress: "203.0.113.7", requestId: "r1" };
    const fetch = vi.fn(async (_request: Request, _client: ClientInfo) =>
      Response.json({ detail: { message: "Slower.", code: "rate_limited" } }, { status: 429 }),
    );
    vi.stubGlobal("__antelopeExchange", { exchange: Promise.resolve({ fetch }), ready: true });
    const request = new Request("http://localhost:3000/api/auth/refresh", { method, body });
    const response = await handle({ request, params: {}, context: { ...client } });
    expect(fetch).toHaveBeenCalledExactlyOnceWith(request, client);
    expect(fetch.mock.calls[0]?.[0]).toBe(request);
    expect(response.status).toBe(429);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(await response.json()).toEqual({ detail: { message: "Slower.", code: "rate_limited" } });
  },
);
