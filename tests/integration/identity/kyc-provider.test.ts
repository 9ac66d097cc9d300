import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { kycApplications } from "~/exchange.server/db/schema/kyc";
import { followApplications } from "~/exchange.server/kyc/follow-applications";
import { createHttpKycProvider } from "~/exchange.server/kyc/http-provider";
import { application, createTestExchange } from "../../support/exchange";

describe("the HTTP KYC provider", () => {
  let server: Server | undefined;
  afterEach(async () => {
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  });

  async function serve(responses: Record<string, { status: number; body?: unknown; location?: string }>) {
    const calls: { line: string; key: string | undefined; body: string }[] = [];
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const line = `${request.method} ${request.url}`;
        calls.push({ line, key: request.headers.authorization, body });
        const planned = responses[line] ?? { status: 404 };
        response.writeHead(planned.status, {
          "Content-Type": "application/json",
          ...(planned.location && { Location: planned.location }),
        });
        response.end(planned.body === undefined ? "" : JSON.stringify(planned.body));
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const provider = createHttpKycProvider({
      url: `http://127.0.0.1:${port}/v1/`,
      apiKey: "key",
      webhookSecret: "secret",
    });
    return { calls, provider };
  }

  it("submits an application under our reference with the API key, and may submit it twice", async () => {
    const responses: Record<string, { status: number }> = { "POST /v1/applications": { status: 201 } };
    const { calls, provider } = await serve(responses);
    await provider.submit("ref-1", application);
    responses["POST /v1/applications"] = { status: 409 };
    await provider.submit("ref-1", application);
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject({ line: "POST /v1/applications", key: "Bearer key" });
    expect(JSON.parse(calls[0]?.body ?? "")).toEqual({ reference: "ref-1", ...application });
    responses["POST /v1/applications"] = { status: 500 };
    await expect(provider.submit("ref-1", application)).rejects.toThrow("500");
  });

  it("reads decisions, returns null while there is none, and rejects an unknown status, a missing time, or one in the future", async () => {
    const toApproved = (at: number) => ({ status: "approved", decided_at: new Date(at).toISOString() });
    const { provider } = await serve({
      "GET /v1/applications/done": {
        status: 200,
        body: { status: "rejected", reasons: ["blurred"], decided_at: "2026-01-02T03:04:05Z" },
      },
      "GET /v1/applications/open": { status: 200, body: { status: "pending" } },
      "GET /v1/applications/odd": { status: 200, body: { status: "superb" } },
      "GET /v1/applications/formless": { status: 200, body: "Ada Lovelace" },
      "GET /v1/applications/timeless": { status: 200, body: { status: "approved" } },
      "GET /v1/applications/early": { status: 200, body: toApproved(Date.now() + 55_000) },
      "GET /v1/applications/future": { status: 200, body: toApproved(Date.now() + 3_600_000) },
    });
    expect(await provider.getDecision("done")).toEqual({
      status: "rejected",
      reasons: ["blurred"],
      decidedAt: new Date("2026-01-02T03:04:05Z"),
    });
    expect(await provider.getDecision("open")).toBeNull();
    expect(await provider.getDecision("lost")).toBe("unknown");
    const invalid = (field: string) => new Error(`the identity provider responded with an invalid ${field}`);
    await expect(provider.getDecision("odd")).rejects.toEqual(invalid("status"));
    await expect(provider.getDecision("formless")).rejects.toEqual(invalid("body"));
    expect(await provider.getDecision("early"), "our clock may be behind").toMatchObject({ status: "approved" });
    await expect(provider.getDecision("future")).rejects.toThrow("from the future");
    await expect(provider.getDecision("timeless")).rejects.toThrow("approved, but without decided_at");
  });

  it("submits an application again that the provider has lost, and alerts an operator if that does not help", async () => {
    const accepted = { "POST /v1/applications": { status: 201 } };
    const responses: Parameters<typeof serve>[0] = { ...accepted };
    const { calls, provider } = await serve(responses);
    const exchange = await createTestExchange({ context: { kyc: provider } });
    try {
      const { ctx } = exchange;
      const customer = await exchange.signUp(undefined, { kyc: false });
      await exchange.api("POST", "/api/kyc", { token: customer.token, body: application });
      const reference: string = JSON.parse(calls[0]?.body ?? "").reference;
      const path = `GET /v1/applications/${reference}`;
      const subjects = async () => (await listAlerts(ctx.db)).map(({ subject }) => subject);
      const submitted = () => calls.filter(({ line }) => line.startsWith("POST")).length;
      const runFor = async (minutes: number) => {
        for (let passed = 0; passed < minutes; passed += 1) {
          exchange.advance(60_000);
          await followApplications(ctx);
        }
      };
      await runFor(2);
      expect(submitted(), "the provider may need a moment").toBe(1);
      responses[path] = { status: 200, body: { status: "pending" } };
      await runFor(30);
      expect(submitted()).toBe(1);
      delete responses[path];
      await runFor(20);
      expect(submitted()).toBeGreaterThan(1);
      expect(await subjects()).toEqual([]);
      await runFor(50);
      expect(await listAlerts(ctx.db)).toMatchObject([
        { subject: "identity-checks", reason: expect.stringContaining("does not know an application") },
      ]);
      responses[path] = { status: 200, body: { status: "approved", decided_at: "2026-01-02T03:04:05Z" } };
      await runFor(20);
      expect(await ctx.db.select().from(kycApplications)).toMatchObject([{ status: "approved" }]);
      expect(await subjects()).toEqual([]);
    } finally {
      await exchange.close();
    }
  });

  it("T19 does not follow a redirect with personal data", async () => {
    const { calls, provider } = await serve({
      "POST /v1/applications": { status: 307, location: "/elsewhere" },
      "POST /elsewhere": { status: 200 },
    });
    await expect(provider.submit("ref-1", application)).rejects.toThrow();
    expect(calls.map(({ line }) => line)).toEqual(["POST /v1/applications"]);
  });
});
