import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRateFeeds } from "../../../app/exchange.server/rates/feeds";

/** Feeds as they are in the world: right, frozen, zero, a hundredfold, broken, elsewhere. */
const answers: Record<string, () => { status?: number; headers?: Record<string, string>; body: string }> = {
  "/right": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date().toISOString() }) }),
  "/close": () => ({ body: JSON.stringify({ rate: "0.3534", at: new Date().toISOString() }) }),
  "/far": () => ({ body: JSON.stringify({ rate: "0.36", at: new Date().toISOString() }) }),
  "/hundredfold": () => ({ body: JSON.stringify({ rate: "35", at: new Date().toISOString() }) }),
  "/zero": () => ({ body: JSON.stringify({ rate: "0", at: new Date().toISOString() }) }),
  "/frozen": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date(Date.now() - 600_000).toISOString() }) }),
  "/ahead": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date(Date.now() + 600_000).toISOString() }) }),
  "/words": () => ({ body: JSON.stringify({ rate: "about 0.35", at: new Date().toISOString() }) }),
  "/number": () => ({ body: JSON.stringify({ rate: 0.35, at: new Date().toISOString() }) }),
  "/broken": () => ({ body: "<html>" }),
  "/moved": () => ({ status: 302, headers: { location: "/right" }, body: "" }),
};

describe("T44 the live rate", () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { status = 200, headers = {}, body } = answers[request.url ?? ""]?.() ?? { status: 404, body: "" };
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const rateOf = async (...paths: string[]) => {
    const feeds = createRateFeeds({ urls: paths.map((path) => base + path), maxDeviationBps: 200, maxAgeMs: 60_000 });
    return (await feeds.getRate()).rate;
  };

  test("two feeds that agree give the lower; of three, the one in the middle", async () => {
    expect(await rateOf("/right", "/close")).toBe(350_000_000_000n);
    expect(await rateOf("/close", "/right", "/close")).toBe(353_400_000_000n);
  });

  test.each(["/far", "/hundredfold"])("one that disagrees (%s) stops quotes", async (liar) => {
    await expect(rateOf("/right", "/right", liar)).rejects.toThrow("disagree");
  });

  test.each(["/zero", "/frozen", "/ahead", "/words", "/number", "/broken", "/moved", "/nothing"])(
    "T19 one that is no rate (%s) is left out, and one alone is not enough",
    async (bad) => {
      expect(await rateOf("/right", bad, "/right")).toBe(350_000_000_000n);
      await expect(rateOf("/right", bad)).rejects.toThrow("Fewer than two");
    },
  );
});
