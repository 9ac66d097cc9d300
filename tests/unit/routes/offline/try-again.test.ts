import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

const source = readFileSync("app/routes/offline/try-again.js", "utf8").replace("export {};", "");

/** Runs the script on a page without a button, in a browser whose network can be cut. */
function start(cookie = "") {
  const page = { reloads: 0, isUp: false, status: 200 };
  const requests: unknown[] = [];
  const dataset: Record<string, string> = {};
  const reload = () => {
    page.reloads += 1;
  };
  const window = Object.assign(new EventTarget(), { location: { reload } });
  let retry: () => Promise<void> = () => Promise.reject(new Error("The script set no interval."));
  runInNewContext(source, {
    AbortSignal,
    window,
    document: { cookie, documentElement: { dataset }, querySelector: () => null },
    setInterval: (work: () => Promise<void>) => {
      retry = work;
    },
    fetch: async (...request: unknown[]) => {
      requests.push(request);
      if (!page.isUp) throw new TypeError("Failed to fetch");
      return new Response(null, { status: page.status });
    },
  });
  return {
    page,
    requests,
    dataset,
    retry: () => retry(),
    tell: (event: string) => window.dispatchEvent(new Event(event)),
  };
}

describe("the offline page", () => {
  it("reloads once our server responds", async () => {
    const { page, requests, retry } = start();
    await retry();
    expect(page.reloads).toBe(0);
    page.isUp = true;
    await retry();
    expect(page.reloads).toBe(1);
    // A request that hangs would keep a connection that the next ones need.
    expect(requests[0]).toEqual(["/api/status", { cache: "no-store", signal: expect.any(AbortSignal) }]);
  });

  it.each([502, 503])("waits while a proxy, or our server until it is ready, responds with %s", async (status) => {
    const { page, retry } = start();
    Object.assign(page, { isUp: true, status });
    await retry();
    expect(page.reloads).toBe(0);
  });

  it.each([
    ["tz=UTC; theme=dark", { theme: "dark" }],
    ["theme=light; tz=UTC", { theme: "light" }],
    ["theme=; nottheme=dark", {}],
  ])("has the theme that the visitor has chosen: %s", (cookie, dataset) => {
    expect(start(cookie).dataset).toEqual(dataset);
  });

  it.each(["online", "offline"])(
    "reloads when the browser goes %s, because the page then gives a different reason",
    (event) => {
      const { page, tell } = start();
      tell(event);
      expect(page.reloads).toBe(1);
    },
  );
});
