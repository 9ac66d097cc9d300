import { expect, it, vi } from "vitest";
import "../../support/site";
import { createLog } from "~/config/log.server";
import type { ClientInfo } from "~/exchange-binding/exchange";
import { action, loader } from "~/routes/api/route";

it.each([
  ["fails", new TypeError("fetch failed"), false, 502, 1],
  ["takes too long", new DOMException("no response", "TimeoutError"), false, 504, 1],
  ["was not waited for", new DOMException("aborted", "AbortError"), true, 502, 0],
] as const)("responds to and logs a call that %s", async (_name, error, isAborted, status, logged) => {
  const lines: string[] = [];
  vi.stubGlobal("__antelopeLog", createLog("info", { write: (line) => void lines.push(line) }));
  const exchange = { fetch: () => Promise.reject(error) };
  vi.stubGlobal("__antelopeExchange", { exchange: Promise.resolve(exchange), ready: true });
  const signal = isAborted ? AbortSignal.abort() : new AbortController().signal;
  const request = new Request("http://localhost:3000/api/rates", { signal });
  const response = await loader({ request, params: {}, context: { requestId: "r1" } });
  const body = { detail: { code: "internal", message: "The exchange did not respond." } };
  expect([response.status, await response.json()]).toEqual([status, body]);
  expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(Array.from({ length: logged }, () => "r1"));
  vi.stubGlobal("__antelopeLog", undefined);
});

it.each([
  ["GET", undefined, loader],
  ["POST", '{"refresh_token":"r"}', action],
])(
  "passes a %s on to the exchange, with the visitor's address and the id of the request, and its response back",
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
