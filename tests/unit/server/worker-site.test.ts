import { pino } from "pino";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { getConfig } from "~/config/config.server";
import { createLog } from "~/config/log.server";
import { toSecurityHeaders } from "~/server/security-headers.server";
import { createWorkerSite } from "~/server/site.server";
import { fakeExchange, origin } from "../../support/site";

describe("what a worker serves", () => {
  const visit = { remoteAddress: "192.0.2.1", requestId: "r1" };
  const securityHeaders = Object.entries(toSecurityHeaders({ secure: false, walletRpcOrigins: [] }));
  let exchange: ReturnType<typeof fakeExchange>;
  let site: ReturnType<typeof createWorkerSite>;
  beforeAll(() => {
    vi.stubGlobal("__antelopeLog", pino({ level: "silent" }));
    exchange = fakeExchange({ "GET /api/status": () => Response.json({ accepting_swaps: true }) });
    site = createWorkerSite(getConfig());
  });
  const send = async (path: string, init: RequestInit = {}) => site.fetch(new Request(`${origin}${path}`, init), visit);

  it("is its status, for health checks", async () => {
    const response = await send("/api/status");
    expect([response.status, await response.json()]).toEqual([200, { accepting_swaps: true }]);
    for (const [name, value] of securityHeaders) expect(response.headers.get(name)).toBe(value);
  });

  it.each([
    ["GET", "/"],
    ["GET", "/login"],
    ["GET", "/api/rates"],
    ["GET", "/api/status/history"],
    ["POST", "/api/auth"],
    ["POST", "/swap"],
    ["GET", "/sandbox/inbox"],
  ])("is nothing else: %s %s", async (method, path) => {
    const before = exchange.calls.length;
    const response = await send(path, { method });
    expect([response.status, await response.json()]).toEqual([
      404,
      { detail: { message: "This process runs jobs and serves only /api/status.", code: "not_found" } },
    ]);
    for (const [name, value] of securityHeaders) expect(response.headers.get(name)).toBe(value);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(exchange.calls).toHaveLength(before);
  });

  it("is 503 until the jobs run", async () => {
    vi.stubGlobal("__antelopeExchange", undefined);
    const response = await send("/api/status");
    expect([response.status, (await response.json()).detail.code]).toEqual([503, "starting"]);
  });

  it("T14 is a 500 that the log explains, if the response fails", async () => {
    const lines: string[] = [];
    vi.stubGlobal("__antelopeLog", createLog("info", { write: (line) => void lines.push(line) }));
    vi.stubGlobal("__antelopeExchange", {
      get ready() {
        throw new Error("planned");
      },
    });
    const response = await send("/api/status?key=secret");
    expect([response.status, (await response.json()).detail]).toEqual([
      500,
      { code: "internal", message: "Something went wrong on our side.", request_id: "r1" },
    ]);
    for (const [name, value] of securityHeaders) expect(response.headers.get(name)).toBe(value);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level: "error",
        msg: "A request failed",
        method: "GET",
        path: "/api/status",
        requestId: "r1",
        err: expect.objectContaining({ message: "planned" }),
      }),
    ]);
    await send("/api/status", { signal: AbortSignal.abort() });
    expect(lines).toHaveLength(1);
  });
});
