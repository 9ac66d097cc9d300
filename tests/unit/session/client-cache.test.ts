// @vitest-environment jsdom
import type { ClientActionFunctionArgs, ClientLoaderFunctionArgs } from "@remix-run/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

type Asked = { calls: number; answer: unknown };

function load(loader: (args: ClientLoaderFunctionArgs) => Promise<unknown>, path: string, server: Asked) {
  const serverLoader = async () => {
    server.calls += 1;
    if (server.answer instanceof Response) throw server.answer;
    return server.answer;
  };
  return loader({
    request: new Request(`http://localhost:3000${path}`),
    params: {},
    serverLoader,
  } as ClientLoaderFunctionArgs);
}

describe("K07 the query cache", () => {
  let cache: typeof import("../../../app/session/client-cache");
  let registry: typeof import("../../../app/session/cache-registry");
  let server: Asked;
  beforeEach(async () => {
    vi.resetModules();
    cache = await import("../../../app/session/client-cache");
    registry = await import("../../../app/session/cache-registry");
    server = { calls: 0, answer: { n: 1 } };
    Object.assign(window, { __remixContext: { state: { loaderData: {} } } });
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([
      { name: "http://localhost:3000/swap?a=1" } as PerformanceEntry,
    ]);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test("K07 going back and forth asks the server nothing it knows; another address is another thing", async () => {
    const loader = cache.throughCache("routes/swap/x", "deliveryAddress");
    expect(await load(loader, "/swap/x", server)).toEqual({ n: 1 });
    await load(loader, "/swap/x/", server);
    expect(server.calls).toBe(1);
    await load(loader, "/swap/x?type=MOB", server);
    expect(server.calls).toBe(2);
  });

  test("K07 after 300 s it is asked anew", async () => {
    vi.useFakeTimers();
    const loader = cache.throughCache("routes/swap/x", "swaps");
    await load(loader, "/x", server);
    await vi.advanceTimersByTimeAsync(299_000);
    await load(loader, "/x", server);
    expect(server.calls).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await load(loader, "/x", server);
    expect(server.calls).toBe(2);
  });

  test("K07 what came with the document is known; for its own address alone", async () => {
    Object.assign(window, { __remixContext: { state: { loaderData: { here: { n: 7 } } } } });
    const loader = cache.throughCache("here", "swaps");
    expect(await load(loader, "/swap?a=1", server)).toEqual({ n: 7 });
    expect(server.calls).toBe(0);
    await load(loader, "/swap?a=2", server);
    expect(server.calls).toBe(1);
  });

  test("K07 what an action changes is fetched anew, also where it led elsewhere or failed", async () => {
    const loader = cache.throughCache("routes/swap/x", "swaps", "deliveryAddress");
    const other = cache.throughCache("routes/swap/y", "assets");
    await load(loader, "/x", server);
    await load(other, "/y", server);
    const act = cache.changing("deliveryAddress");
    const serverAction = () => Promise.reject(new Response(null, { status: 302 }));
    await expect(act({ serverAction } as unknown as ClientActionFunctionArgs)).rejects.toBeInstanceOf(Response);
    await load(other, "/y", server);
    expect(server.calls).toBe(2);
    await load(loader, "/x", server);
    expect(server.calls).toBe(3);
  });

  test("an action without an answer is told, not raised, and what it may have changed is fetched anew", async () => {
    const { useUnanswered } = await import("../../../app/session/unanswered");
    const { renderHook, act: settle } = await import("@testing-library/react");
    const { result } = renderHook(useUnanswered);
    const loader = cache.throughCache("routes/swap/x", "deliveryAddress");
    await load(loader, "/x", server);
    const run = (serverAction: () => Promise<unknown>) =>
      settle(() => cache.changing("deliveryAddress")({ serverAction } as unknown as ClientActionFunctionArgs));
    expect(await run(() => Promise.reject(new TypeError("Failed to fetch")))).toBeNull();
    expect(result.current).toBe(true);
    await load(loader, "/x", server);
    expect(server.calls).toBe(2);
    expect(await run(async () => ({ n: 3 }))).toEqual({ n: 3 });
    expect(result.current).toBe(false);
    await expect(run(() => Promise.reject(new Error("of the server")))).rejects.toThrow("of the server");
    expect(result.current).toBe(false);
  });

  test("K07 signing out empties it, and what came with the document with it", async () => {
    Object.assign(window, { __remixContext: { state: { loaderData: { here: { n: 7 } } } } });
    const loader = cache.throughCache("here", "swaps");
    await load(loader, "/swap?a=1", server);
    registry.emptyQueryCache();
    expect(await load(loader, "/swap?a=1", server)).toEqual({ n: 1 });
    expect(server.calls).toBe(1);
  });

  test("emptied under way, the answer is shown and not kept", async () => {
    const loader = cache.throughCache("routes/swap/x", "swaps");
    const under = loader({
      request: new Request("http://localhost:3000/x"),
      params: {},
      serverLoader: async () => {
        registry.emptyQueryCache();
        return { n: 9 };
      },
    } as unknown as ClientLoaderFunctionArgs);
    expect(await under).toEqual({ n: 9 });
    expect(await load(loader, "/x", server)).toEqual({ n: 1 });
  });

  test("a redirect is not kept", async () => {
    const loader = cache.throughCache("routes/swap/x", "swaps");
    server.answer = new Response(null, { status: 302 });
    await expect(load(loader, "/x", server)).rejects.toBeInstanceOf(Response);
    server.answer = { n: 2 };
    expect(await load(loader, "/x", server)).toEqual({ n: 2 });
  });
});
