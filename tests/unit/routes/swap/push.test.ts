// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { subscribeToPush } from "~/browser/push";

const key = (bytes: number[]) => Buffer.from(bytes).toString("base64url");
/** In base64url, this key contains both characters that base64 writes differently, and no padding. */
const current = [0xfb, 0xff, 0xbf, 4];
const posted: string[] = [];
let known: ReturnType<typeof makeSubscription> | null;
const subscribe = vi.fn(async ({ applicationServerKey }: { applicationServerKey: string }) => {
  known = makeSubscription([...Buffer.from(applicationServerKey, "base64url")], "new");
  return known;
});

function makeSubscription(bytes: number[], name: string) {
  return {
    options: { applicationServerKey: new Uint8Array(bytes).buffer },
    toJSON: () => ({ endpoint: `https://push.example/${name}`, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe: vi.fn(async () => {
      known = null;
      return true;
    }),
  };
}

beforeEach(() => {
  posted.length = 0;
  subscribe.mockClear();
  const pushManager = { getSubscription: async () => known, subscribe };
  const serviceWorker = { getRegistration: async () => ({}), ready: Promise.resolve({ pushManager }) };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: serviceWorker });
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit = {}) => {
    expect(path).toBe("/swap/notifications");
    if (!body) return Response.json({ publicKey: key(current) });
    posted.push((body as URLSearchParams).get("endpoint") ?? "");
    return new Response(null, { status: 204 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

describe("a browser's push subscription", () => {
  it("is made with the exchange's key", async () => {
    known = null;
    expect(await subscribeToPush()).toBe(true);
    expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: key(current) });
    expect(posted).toEqual(["https://push.example/new"]);
  });

  it("is kept while the exchange's key is the same", async () => {
    known = makeSubscription(current, "known");
    expect(await subscribeToPush({ onlyRenew: true })).toBe(true);
    expect(known?.unsubscribe).not.toHaveBeenCalled();
    expect(subscribe).not.toHaveBeenCalled();
    expect(posted).toEqual(["https://push.example/known"]);
  });

  it("is replaced if it was made with another key", async () => {
    const outdated = makeSubscription([1, 2, 3], "outdated");
    known = outdated;
    expect(await subscribeToPush({ onlyRenew: true })).toBe(true);
    expect(outdated.unsubscribe).toHaveBeenCalledOnce();
    expect(posted).toEqual(["https://push.example/new"]);
  });

  it("is kept if the exchange does not send its key", async () => {
    known = makeSubscription([1, 2, 3], "outdated");
    vi.stubGlobal("fetch", async () => Response.json({ error: {} }, { status: 503 }));
    expect(await subscribeToPush({ onlyRenew: true })).toBe(false);
    expect(known.unsubscribe).not.toHaveBeenCalled();
  });

  it("is not stored once the session has ended, because the site then redirects to the sign-in page", async () => {
    known = null;
    vi.stubGlobal("fetch", async (_: string, { body, redirect }: RequestInit = {}) => {
      if (!body) return Response.json({ publicKey: key(current) });
      if (redirect === "error") throw new TypeError("Failed to fetch");
      return new Response("<h1>Sign in</h1>");
    });
    expect(await subscribeToPush()).toBe(false);
  });

  it("is not made without the visitor's request", async () => {
    known = null;
    expect(await subscribeToPush({ onlyRenew: true })).toBe(false);
    expect(subscribe).not.toHaveBeenCalled();
    expect(posted).toEqual([]);
  });
});
