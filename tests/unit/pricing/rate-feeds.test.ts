import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createRateFeeds } from "~/exchange.server/pricing/rate-feeds";
import { toDistinctUrls } from "~/lib/distinct-urls";
import { freePort } from "../../support/raw-http";

/** Feeds that are correct, frozen, zero, a hundred times too high, broken or redirected. */
const responses: Record<string, () => { status?: number; headers?: Record<string, string>; body: string }> = {
  "/right": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date().toISOString() }) }),
  "/same": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date().toISOString() }) }),
  "/close": () => ({ body: JSON.stringify({ rate: "0.3534", at: new Date().toISOString() }) }),
  "/closer": () => ({ body: JSON.stringify({ rate: "0.3534", at: new Date().toISOString() }) }),
  "/limit": () => ({ body: JSON.stringify({ rate: "0.357", at: new Date().toISOString() }) }),
  "/old": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date(Date.now() - 60_000).toISOString() }) }),
  "/skewed": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date(Date.now() + 60_000).toISOString() }) }),
  "/skewed-too": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date(Date.now() + 50_000).toISOString() }) }),
  "/far": () => ({ body: JSON.stringify({ rate: "0.36", at: new Date().toISOString() }) }),
  "/hundredfold": () => ({ body: JSON.stringify({ rate: "35", at: new Date().toISOString() }) }),
  "/zero": () => ({ body: JSON.stringify({ rate: "0", at: new Date().toISOString() }) }),
  "/frozen": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date(Date.now() - 600_000).toISOString() }) }),
  "/ahead": () => ({ body: JSON.stringify({ rate: "0.35", at: new Date(Date.now() + 600_000).toISOString() }) }),
  "/words": () => ({ body: JSON.stringify({ rate: "about 0.35", at: new Date().toISOString() }) }),
  "/number": () => ({ body: JSON.stringify({ rate: 0.35, at: new Date().toISOString() }) }),
  "/offset": () => ({ body: JSON.stringify({ rate: "0.35", at: "2026-01-01T00:00:00+00:00" }) }),
  "/broken": () => ({ body: "<html>" }),
  "/moved": () => ({ status: 302, headers: { location: "/right" }, body: "" }),
};

describe("T44 the rate from several feeds", () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { status = 200, headers = {}, body } = responses[request.url ?? ""]?.() ?? { status: 404, body: "" };
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const warnings: unknown[] = [];
  const log = { warn: (about: unknown) => void warnings.push(about) };
  const feedsOf = (...paths: string[]) =>
    createRateFeeds({ urls: paths.map((path) => base + path), maxDeviationBps: 200, maxAgeMs: 60_000, log });
  const rateOf = async (...paths: string[]) => (await feedsOf(...paths).getRate()).rate;

  it("is the lower of two feeds that agree, and the median of three", async () => {
    expect(await rateOf("/right", "/close")).toBe(350_000_000_000n);
    expect(await rateOf("/close", "/right", "/closer")).toBe(353_400_000_000n);
  });

  it.each(["/far", "/hundredfold"])("does not exist if one feed (%s) disagrees", async (liar) => {
    await expect(rateOf("/right", "/same", liar)).rejects.toThrow("disagree");
  });

  it("comes with the lowest and the highest feed, for a price in each direction", async () => {
    expect(await feedsOf("/close", "/right", "/same").getRate()).toMatchObject({
      low: 350_000_000_000n,
      high: 353_400_000_000n,
    });
  });

  it.each([
    ["differ by exactly as much as allowed", "/limit"],
    ["are exactly as old as allowed", "/old"],
    ["are exactly as far in the future as allowed", "/skewed"],
  ])("counts feeds that %s", async (_what, path) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    expect(await rateOf("/right", path)).toBe(350_000_000_000n);
  });

  it("is never from the future, so that a clock that is ahead does not make it last longer", async () => {
    const before = Date.now();
    const { at } = await feedsOf("/skewed", "/skewed-too").getRate();
    expect(at.getTime()).toBeGreaterThanOrEqual(before);
    expect(at.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it.each([
    ["the same URL", "/right"],
    ["another query", "/right?pair=MOBUSDT"],
    ["a trailing slash", "/right/"],
    ["a fragment", "/right#again"],
  ])("does not count a feed twice if it is listed again with %s", async (_what, again) => {
    await expect(rateOf("/right", again)).rejects.toThrow("Fewer than two");
  });

  it("does not count a feed twice whatever the spelling of its host and login", () => {
    expect(
      toDistinctUrls([
        "https://feeds.example/mob",
        "https://FEEDS.example:443/mob",
        "https://key@feeds.example./mob",
        "http://feeds.example/%6dob",
        "https://feeds.example/usdt",
        "https://feeds.example:8443/mob",
      ]),
    ).toEqual(["https://feeds.example/mob", "https://feeds.example/usdt", "https://feeds.example:8443/mob"]);
  });

  it.each([
    ["https://feeds.example/mob/"],
    ["https://feeds.example//mob"],
    ["https://feeds.example/mob?key=1"],
    ["https://feeds.example/mob#now"],
  ])("counts https://feeds.example/mob and %s as one feed", (same) => {
    expect(toDistinctUrls([same, "https://feeds.example/mob"])).toEqual([same]);
  });

  it.each([
    ["https://feeds.example/a/b", "https://feeds.example/ab"],
    ["https://feeds.example./mob", "https://feedsxexample/mob"],
    ["https://feeds.example/", "https://afeeds.example/"],
    ["https://feeds.example/%zz", "https://feeds.example/%yy"],
    ["https://feeds.example.:8443/mob", "https://feeds.example/mob"],
  ])("counts %s and %s as two feeds", (one, other) => {
    expect(toDistinctUrls([one, other])).toEqual([one, other]);
  });

  it("counts a feed once if its host ends with a dot, even before a port", () => {
    const feed = "https://feeds.example:8443/mob";
    expect(toDistinctUrls([feed, "https://feeds.example.:8443/mob"])).toEqual([feed]);
  });

  it.each(["/zero", "/frozen", "/ahead", "/words", "/number", "/broken", "/moved", "/nothing"])(
    "T19 ignores a feed without a usable rate (%s), and needs two others",
    async (bad) => {
      expect(await rateOf("/right", bad, "/same")).toBe(350_000_000_000n);
      await expect(rateOf("/right", bad)).rejects.toThrow("Fewer than two");
    },
  );

  it.each([
    ["/zero", "its rate is 0"],
    ["/frozen", "its rate is too old"],
    ["/ahead", "its rate is from the future"],
    ["/words", "its response has an invalid rate"],
    ["/offset", "its response has an invalid at"],
    ["/broken", "its response is not JSON"],
    ["/moved", "it cannot be read"],
    ["/nothing", "HTTP 404"],
  ])("says which feed has no usable rate (%s) and why, and logs it once a minute", async (bad, reason) => {
    warnings.length = 0;
    const feeds = feedsOf("/right", "/right", bad, "/same");
    await feeds.getRate();
    await feeds.getRate();
    expect(warnings).toEqual([{ feed: "feed 3", reason }]);
    await expect(rateOf("/right", bad)).rejects.toThrow(
      `Fewer than two rate feeds have a usable rate (feed 2: ${reason})`,
    );
  });

  it("says that a feed is unreachable", async () => {
    const urls = [`http://127.0.0.1:${await freePort()}/a`];
    const out = createRateFeeds({ urls, maxDeviationBps: 200, maxAgeMs: 60_000, log });
    await expect(out.getRate()).rejects.toThrow("(feed 1: ECONNREFUSED)");
  });
});
