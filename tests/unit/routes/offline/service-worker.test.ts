import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

type FetchEvent = {
  request: { url: string; mode: string; method: string; referrer: string };
  preloadResponse: Promise<Response | undefined>;
  respondWith(response: unknown): void;
  waitUntil(work: unknown): void;
};

const origin = "https://antelope.example";
const source = readFileSync("public/sw.js", "utf8");

/** Runs sw.js with a cache in memory and a network that can be cut. Pages contain their own path. */
async function start() {
  const network = {
    isUp: true,
    onLine: true,
    response: { status: 200, headers: { "X-Request-Id": "1" } } as ResponseInit,
  };
  const cached = new Map<string, Response>();
  const tabs: { url: string; focus(): void }[] = [];
  const opened: string[] = [];
  const subscription = {
    isActive: true,
    async unsubscribe() {
      subscription.isActive = false;
    },
  };
  const listeners: Record<string, (event: unknown) => void> = {};
  const pathOf = (url: string) => url.replace(origin, "");
  const cache = {
    put: async (path: string, response: Response) => void cached.set(path, response),
    match: async (url: string) => cached.get(pathOf(url).split("#", 1)[0] ?? "")?.clone(),
  };
  runInNewContext(source, {
    addEventListener: (type: string, listener: (event: unknown) => void) => {
      listeners[type] = listener;
    },
    caches: { open: async () => cache, keys: async () => [] },
    clients: {
      claim: async () => undefined,
      matchAll: async () => tabs,
      openWindow: async (url: string) => opened.push(url),
    },
    fetch: async (target: string | { url: string }) => {
      if (!network.isUp) throw new TypeError("Failed to fetch");
      const path = pathOf(typeof target === "string" ? target : target.url);
      return new Response(`${path} <use href="/assets/antelopes-1.svg#looking">`, network.response);
    },
    Headers,
    location: new URL(`${origin}/sw.js?1`),
    navigator: {
      get onLine() {
        return network.onLine;
      },
    },
    registration: { pushManager: { getSubscription: async () => (subscription.isActive ? subscription : null) } },
    Response,
    skipWaiting: async () => undefined,
    URL,
  });
  let installed: unknown;
  listeners.install?.({ waitUntil: (work: unknown) => (installed = work) });
  await installed;
  return {
    network,
    tabs,
    opened,
    subscription,
    /** Posts a form, in a document or by a script, from a page. */
    async post(url: string, mode: string, referrer: string) {
      let work: unknown;
      listeners.fetch?.({
        request: { url, mode, method: "POST", referrer },
        preloadResponse: Promise.resolve(undefined),
        respondWith: () => expect.fail("a form goes to the network"),
        waitUntil: (ended) => (work = ended),
      } satisfies FetchEvent);
      await work;
    },
    async click(path: string) {
      let work: unknown;
      const notification = { data: origin + path, close: () => undefined };
      listeners.notificationclick?.({ notification, waitUntil: (shown: unknown) => (work = shown) });
      await work;
    },
    async request(
      path: string,
      mode = "navigate",
      preloadResponse: Promise<Response | undefined> = Promise.resolve(undefined),
    ) {
      let response: unknown;
      const event: FetchEvent = {
        request: { url: origin + path, mode, method: "GET", referrer: "" },
        preloadResponse,
        respondWith: (value) => (response = value),
        waitUntil: () => undefined,
      };
      listeners.fetch?.(event);
      return response === undefined ? null : (await (response as Promise<Response>)).text();
    },
  };
}

describe("the service worker", () => {
  it("serves the drawings of the cached page, whose URLs end with a fragment", async () => {
    const { network, request } = await start();
    network.isUp = false;
    expect(await request("/doger")).toContain('href="/assets/antelopes-1.svg?offline#looking"');
    expect(await request("/assets/antelopes-1.svg?offline#looking", "same-origin")).toContain("/assets/antelopes-1");
    // The drawings of other pages come from the network.
    expect(await request("/assets/antelopes-1.svg#looking", "same-origin")).toBeNull();
  });

  it("says that an order is safe only on an order's page", async () => {
    const { network, request } = await start();
    Object.assign(network, { isUp: false, onLine: false });
    expect(await request("/swap/quote/12?id=12")).toMatch(/^\/offline\?order </);
    expect(await request("/doger")).toMatch(/^\/offline </);
    expect(await request("/swap")).toMatch(/^\/offline </);
  });

  it("does not call a visitor offline when our server does not respond", async () => {
    const { network, request } = await start();
    network.isUp = false;
    expect(await request("/swap/quote/12")).toMatch(/^\/offline\?order&server </);
    expect(await request("/swap")).toMatch(/^\/offline\?server </);
  });

  it.each([502, 503, 504])("says so, too, when a proxy responds with %s in place of our server", async (status) => {
    const { network, request } = await start();
    network.response = { status };
    expect(await request("/swap/quote/12")).toMatch(/^\/offline\?order&server </);
    network.response = { status, headers: { "X-Request-Id": "2" } };
    expect(await request("/swap/quote/12")).toMatch(/^\/swap\/quote\/12 </);
    network.response = { status: 500 };
    expect(await request("/swap")).toMatch(/^\/swap </);
  });

  it("also shows the page when a preloaded response fails, as browsers report it", async () => {
    const { network, request } = await start();
    const preloaded = new Response("preloaded", { headers: { "X-Request-Id": "3" } });
    expect(await request("/swap", "navigate", Promise.resolve(preloaded))).toBe("preloaded");
    network.isUp = false;
    const rejected = Promise.reject(new DOMException("The service worker navigation preload request failed."));
    expect(await request("/swap", "navigate", rejected)).toMatch(/^\/offline\?server </);
    // Firefox.
    expect(await request("/swap", "navigate", Promise.resolve(Response.error()))).toMatch(/^\/offline\?server </);
  });

  it("loads pages from the network while it is there", async () => {
    const { request } = await start();
    expect(await request("/swap")).toMatch(/^\/swap </);
  });

  it.each([
    ["navigate", "/logout"],
    ["cors", "/logout.data"],
  ])("T84 ends notifications when a page of this site signs out (%s)", async (mode, path) => {
    const { subscription, post } = await start();
    await post(`${origin}${path}`, mode, "https://evil.example/");
    await post(`${origin}${path}`, mode, "");
    await post(`https://evil.example${path}`, mode, `${origin}/doger`);
    await post(`${origin}/login`, mode, `${origin}/doger`);
    expect(subscription.isActive).toBe(true);
    await post(`${origin}${path}`, mode, `${origin}/doger`);
    expect(subscription.isActive).toBe(false);
    await post(`${origin}${path}`, mode, `${origin}/doger`);
  });

  it("shows the tab in which a notification's page is open, or opens a new one", async () => {
    const { tabs, opened, click } = await start();
    const focused: string[] = [];
    for (const path of ["/swap/quote/77?id=77", "/swap/quote/7?id=7&renews=6#pay"]) {
      tabs.push({ url: origin + path, focus: () => focused.push(path) });
    }
    await click("/swap/quote/7");
    await click("/swap/quote/7?id=7");
    expect(focused).toEqual(Array(2).fill("/swap/quote/7?id=7&renews=6#pay"));
    await click("/vegas");
    expect(opened).toEqual([`${origin}/vegas`]);
  });
});
