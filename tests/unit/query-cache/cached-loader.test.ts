// @vitest-environment jsdom
import type { ClientActionFunctionArgs, ClientLoaderFunctionArgs } from "@remix-run/react";
import { createMemoryHistory, createRouter, UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from "@remix-run/router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

// The files of a worker share its globals.
afterEach(() => vi.unstubAllGlobals());

type FakeServer = { calls: number; result: unknown };

function load(loader: (args: ClientLoaderFunctionArgs) => Promise<unknown>, path: string, server: FakeServer) {
  const serverLoader = async () => {
    server.calls += 1;
    if (server.result instanceof Response) throw server.result;
    return server.result;
  };
  return loader({
    request: new Request(`http://localhost:3000${path}`),
    params: {},
    serverLoader,
  } as ClientLoaderFunctionArgs);
}

function post(intent = "save"): Request {
  return new Request("http://localhost:3000/", { method: "POST", body: new URLSearchParams({ intent }) });
}

describe("K07 the query cache", () => {
  let cache: typeof import("~/query-cache/cached-loader");
  let invalidation: typeof import("~/query-cache/invalidation");
  let server: FakeServer;
  beforeEach(async () => {
    vi.resetModules();
    cache = await import("~/query-cache/cached-loader");
    invalidation = await import("~/query-cache/invalidation");
    server = { calls: 0, result: { n: 1 } };
    vi.stubGlobal("__remixContext", { state: { loaderData: {} } });
    vi.spyOn(performance, "getEntriesByType").mockReturnValue([
      { name: "http://localhost:3000/swap?a=1" } as PerformanceEntry,
    ]);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("K07 loads each URL once while it is fresh", async () => {
    const loader = cache.cachedLoader("routes/swap/x", ["deliveryAddress"]);
    expect(await load(loader, "/swap/x", server)).toEqual({ n: 1 });
    await load(loader, "/swap/x/", server);
    expect(server.calls).toBe(1);
    await load(loader, "/swap/x?type=MOB", server);
    expect(server.calls).toBe(2);
  });

  it("loads from the server each time while the code of the cache can't be loaded", async () => {
    vi.doMock("~/query-cache/query-client", () => {
      throw new TypeError("Failed to fetch dynamically imported module");
    });
    const loader = cache.cachedLoader("routes/swap/x", ["swaps"]);
    expect(await load(loader, "/x", server)).toEqual({ n: 1 });
    expect(await load(loader, "/x", server)).toEqual({ n: 1 });
    expect(server.calls).toBe(2);
    vi.doUnmock("~/query-cache/query-client");
  });

  it("K07 loads again after 300 s", async () => {
    vi.useFakeTimers();
    const loader = cache.cachedLoader("routes/swap/x", ["swaps"]);
    await load(loader, "/x", server);
    await vi.advanceTimersByTimeAsync(299_000);
    await load(loader, "/x", server);
    expect(server.calls).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await load(loader, "/x", server);
    expect(server.calls).toBe(2);
  });

  it("K07 loads the layout's user again if that failed, in the document or later", async () => {
    const failed = { user: null, userError: "Not now." };
    vi.stubGlobal("__remixContext", { state: { loaderData: { layout: failed } } });
    const loader = cache.cachedLoader("layout", ["user"], {
      isSameEverywhere: true,
      isComplete: (data) => Boolean(data) && !(data as { userError: unknown }).userError,
    });
    server.result = failed;
    expect(await load(loader, "/swap?a=1", server)).toEqual(failed);
    server.result = { user: {}, userError: null };
    expect(await load(loader, "/swap?a=1", server)).toEqual(server.result);
    expect(await load(loader, "/swap?a=1", server)).toEqual(server.result);
    expect(server.calls).toBe(2);
  });

  it("K07 uses the data of the document, but only for its own URL", async () => {
    vi.stubGlobal("__remixContext", { state: { loaderData: { here: { n: 7 } } } });
    const loader = cache.cachedLoader("here", ["swaps"]);
    expect(await load(loader, "/swap?a=1", server)).toEqual({ n: 7 });
    expect(server.calls).toBe(0);
    await load(loader, "/swap?a=2", server);
    expect(server.calls).toBe(1);
  });

  it("K07 loads again 300 s after the document, even if its data was first used later", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], now: performance.timeOrigin + 200_000 });
    vi.stubGlobal("__remixContext", { state: { loaderData: { here: { n: 7 } } } });
    const loader = cache.cachedLoader("here", ["swaps"]);
    expect(await load(loader, "/swap?a=1", server)).toEqual({ n: 7 });
    await vi.advanceTimersByTimeAsync(99_000);
    expect(await load(loader, "/swap?a=1", server)).toEqual({ n: 7 });
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await load(loader, "/swap?a=1", server)).toEqual({ n: 1 });
    expect(server.calls).toBe(1);
  });

  it("K07 loads again what an action may have changed, even if it redirected or failed", async () => {
    const loader = cache.cachedLoader("routes/swap/x", ["swaps", "deliveryAddress"]);
    const other = cache.cachedLoader("routes/swap/y", ["assets"]);
    await load(loader, "/x", server);
    await load(other, "/y", server);
    const act = cache.invalidates("deliveryAddress");
    const serverAction = () => Promise.reject(new Response(null, { status: 302 }));
    await expect(act({ request: post(), serverAction } as unknown as ClientActionFunctionArgs)).rejects.toBeInstanceOf(
      Response,
    );
    await load(other, "/y", server);
    expect(server.calls).toBe(2);
    await load(loader, "/x", server);
    expect(server.calls).toBe(3);
  });

  it("reports a lost response instead of throwing, and loads again what the action may have changed", async () => {
    vi.stubGlobal("__remixRouter", createRouter({ history: createMemoryHistory(), routes: [{ path: "/" }] }));
    const { noResponse, useFailure } = await import("~/query-cache/failures");
    const { renderHook, act: settle } = await import("@testing-library/react");
    const { result } = renderHook(useFailure);
    const loader = cache.cachedLoader("routes/swap/x", ["deliveryAddress"]);
    await load(loader, "/x", server);
    const run = (serverAction: () => Promise<unknown>, request = post()) =>
      settle(() =>
        cache.invalidates("deliveryAddress")({ request, serverAction } as unknown as ClientActionFunctionArgs),
      );
    expect(await run(() => Promise.reject(new TypeError("Failed to fetch")))).toBe(noResponse);
    expect(result.current).toBe("form");
    await load(loader, "/x", server);
    expect(server.calls).toBe(2);
    expect(await run(async () => ({ n: 3 }))).toEqual({ n: 3 });
    expect(result.current).toBeNull();
    await expect(run(() => Promise.reject(new Error("server error")))).rejects.toThrow("server error");
    expect(result.current).toBeNull();
    // Nothing was submitted: the page only requested the options of a passkey.
    const optionsLost = () => Promise.reject(new TypeError("Failed to fetch"));
    expect(await run(optionsLost, post("autofill-options"))).toBe(noResponse);
    expect(result.current).toBeNull();
    // The visitor did not press a button: a price renews itself.
    const body = new URLSearchParams({ intent: "renew", automatic: "" });
    const renewal = new Request("http://localhost:3000/", { method: "POST", body });
    expect(await run(optionsLost, renewal)).toBe(noResponse);
    expect(result.current).toBeNull();
  });

  it("K07 is cleared on sign-out, including the data of the document", async () => {
    vi.stubGlobal("__remixContext", { state: { loaderData: { here: { n: 7 } } } });
    const loader = cache.cachedLoader("here", ["swaps"]);
    await load(loader, "/swap?a=1", server);
    invalidation.clearQueryCache();
    expect(await load(loader, "/swap?a=1", server)).toEqual({ n: 1 });
    expect(server.calls).toBe(1);
  });

  it("does not cache data that was invalidated while it was loading", async () => {
    const loader = cache.cachedLoader("routes/swap/x", ["swaps"]);
    const pending = loader({
      request: new Request("http://localhost:3000/x"),
      params: {},
      serverLoader: async () => {
        invalidation.clearQueryCache();
        return { n: 9 };
      },
    } as unknown as ClientLoaderFunctionArgs);
    expect(await pending).toEqual({ n: 9 });
    expect(await load(loader, "/x", server)).toEqual({ n: 1 });
  });

  it("T11 keeps nothing once a page or a form leads to /login, because the session has ended elsewhere", async () => {
    const toLogin = () => new Response(null, { status: 302, headers: { Location: "/login?redirect=%2Fdoger" } });
    const layout = cache.cachedLoader("routes/layout/route", ["user"], { isSameEverywhere: true });
    const activity = cache.cachedLoader("routes/doger/route", ["swaps"]);
    const opensLogin = async () => {
      server.result = toLogin();
      await load(activity, "/doger?page=2", server).catch(() => {});
    };
    const postsAndOpensLogin = async () => {
      const request = { request: post(), params: {}, serverAction: () => Promise.reject(toLogin()) };
      await cache
        .invalidates("deliveryAddress")(request as unknown as ClientActionFunctionArgs)
        .catch(() => {});
    };
    for (const end of [opensLogin, postsAndOpensLogin]) {
      server.result = { auth: "passkey" };
      for (const loader of [layout, activity]) await load(loader, "/doger", server);
      await end();
      server.result = { auth: "signed-out" };
      for (const loader of [layout, activity]) expect(await load(loader, "/doger", server)).toEqual(server.result);
      invalidation.clearQueryCache();
    }
  });

  it("does not cache a redirect", async () => {
    const loader = cache.cachedLoader("routes/swap/x", ["swaps"]);
    server.result = new Response(null, { status: 302 });
    await expect(load(loader, "/x", server)).rejects.toBeInstanceOf(Response);
    server.result = { n: 2 };
    expect(await load(loader, "/x", server)).toEqual({ n: 2 });
  });
});

describe("loading an open page again", () => {
  let cache: typeof import("~/query-cache/cached-loader");
  let failures: typeof import("~/query-cache/failures");
  let respond: () => unknown;
  beforeEach(async () => {
    vi.resetModules();
    cache = await import("~/query-cache/cached-loader");
    failures = await import("~/query-cache/failures");
    respond = () => ({ n: 1 });
  });

  async function open() {
    const loader =
      (load: (args: ClientLoaderFunctionArgs) => Promise<unknown>) =>
      ({ request }: { request: Request }) =>
        load({ request, params: {}, serverLoader: async () => respond() } as unknown as ClientLoaderFunctionArgs);
    const router = createRouter({
      history: createMemoryHistory({ initialEntries: ["/page?a=1"] }),
      routes: [
        { id: "page", path: "/page", loader: loader(cache.uncachedLoader("page")), hasErrorBoundary: true },
        {
          id: "quote",
          path: "/quote",
          loader: loader(cache.cachedLoader("quote", ["quote"])),
          action: ({ request }) => {
            const args = { request, serverAction: async () => respond() } as unknown as ClientActionFunctionArgs;
            return cache.invalidates("quote")(args);
          },
          hasErrorBoundary: true,
        },
      ],
      hydrationData: { loaderData: { page: { n: 0 } } },
    }).initialize();
    vi.stubGlobal("__remixRouter", router);
    vi.stubGlobal("__remixContext", { state: { loaderData: {} } });
    const { invalidateQueries } = await import("~/query-cache/invalidation");
    return {
      router,
      refresh() {
        invalidateQueries("quote");
        return settle(() => router.revalidate());
      },
      go: (path: string) => settle(() => router.navigate(path)),
      submit(path: string) {
        const formData = new FormData();
        formData.set("intent", "quote");
        return settle(() => router.navigate(path, { formMethod: "post", formData }));
      },
    };
    async function settle(change: () => unknown) {
      void change();
      await vi.waitFor(
        () => expect([router.state.navigation.state, router.state.revalidation]).toEqual(["idle", "idle"]),
        30_000,
      );
    }
  }

  it("S01 returns to what is typed in the page, which only the address bar contains, if the session has ended", async () => {
    const { router, refresh } = await open();
    window.history.replaceState(null, "", "/page?a=1&amount=300");
    respond = () =>
      throwIt(new Response(null, { status: 302, headers: { Location: "/login?redirect=%2Fpage%3Fa%3D1" } }));
    await refresh();
    const { pathname, search } = router.state.location;
    expect(pathname + search).toBe("/login?redirect=%2Fpage%3Fa%3D1%26amount%3D300");
    window.history.replaceState(null, "", "/");
  });

  const outages: [string, () => never][] = [
    ["the network", () => throwIt(new TypeError("Failed to fetch"))],
    ["a proxy", () => throwIt(new Error("Unable to decode turbo-stream response"))],
    ["the exchange", () => throwIt(new ErrorResponseImpl(503, "", { message: "Not now." }))],
    ["a limit", () => throwIt(new ErrorResponseImpl(429, "", null))],
  ];

  it.each(outages)("keeps its data and says so while %s fails", async (_, fail) => {
    const { useFailure } = failures;
    const { renderHook, act: settle } = await import("@testing-library/react");
    const shown = renderHook(useFailure).result;
    const { router, refresh, go } = await open();
    respond = fail;
    await settle(refresh);
    expect(router.state).toMatchObject({ errors: null, loaderData: { page: { n: 0 } } });
    expect(shown.current).toBe("refresh");
    respond = () => ({ n: 2 });
    await settle(refresh);
    expect(router.state.loaderData).toEqual({ page: { n: 2 } });
    expect(shown.current).toBeNull();
    await go("/quote");
    respond = fail;
    await settle(refresh);
    expect(router.state).toMatchObject({ errors: null, loaderData: { quote: { n: 2 } } });
    respond = () => ({ n: 3 });
    await settle(refresh);
    expect(router.state.loaderData).toEqual({ quote: { n: 3 } });
  });

  it.each(outages)("stays open if a form that posts to another page is lost while %s fails", async (_, fail) => {
    const { useFailure } = failures;
    const { renderHook } = await import("@testing-library/react");
    const shown = renderHook(useFailure).result;
    const { router, submit } = await open();
    respond = () => {
      respond = () => ({ n: 1 });
      fail();
    };
    await submit("/quote");
    expect(router.state).toMatchObject({ errors: null, loaderData: { page: { n: 1 } } });
    expect(router.state.location).toMatchObject({ pathname: "/page", search: "?a=1" });
    await vi.waitFor(() => expect(shown.current).toBe("form"), 30_000);
  });

  it("shows the server's own error and its refusal of a form", async () => {
    const { router, submit } = await open();
    for (const error of [new Error("Unexpected Server Error"), new ErrorResponseImpl(404, "", null)]) {
      respond = () => throwIt(error);
      await submit("/quote");
      expect(Object.values(router.state.errors ?? {})).toEqual([error]);
    }
  });

  it("stays open if the network or a proxy fails when a link is opened, until one opens", async () => {
    const { renderHook, act: settle } = await import("@testing-library/react");
    const shown = renderHook(failures.useFailure).result;
    const { router, go } = await open();
    for (const [, fail] of outages.slice(0, 2)) {
      respond = fail;
      await settle(() => go("/quote"));
      expect(router.state).toMatchObject({ errors: null, loaderData: { page: { n: 0 } } });
      expect(router.state.location).toMatchObject({ pathname: "/page", search: "?a=1" });
      expect(shown.current).toBe("navigation");
    }
    respond = () => ({ n: 1 });
    await go("/quote");
    expect(router.state).toMatchObject({ errors: null, loaderData: { quote: { n: 1 } } });
  });

  it("shows the error of a navigation that the server refused, or that goes back", async () => {
    const { router, go } = await open();
    const refusal = new ErrorResponseImpl(503, "", { message: "Not now." });
    respond = () => throwIt(refusal);
    await go("/quote");
    expect(Object.values(router.state.errors ?? {})).toEqual([refusal]);
    const lost = new TypeError("Failed to fetch");
    respond = () => throwIt(lost);
    await go("/page?a=1");
    expect(router.state.location.pathname).toBe("/quote");
    vi.stubGlobal("location", { ...window.location, pathname: "/page", search: "?a=1" });
    await go("/page?a=1");
    expect(Object.values(router.state.errors ?? {})).toEqual([lost]);
  });

  it("stays open if the network fails when another part of the same list is opened, but not when the visitor goes back", async () => {
    const { renderHook, act: settle } = await import("@testing-library/react");
    const shown = renderHook(failures.useFailure).result;
    const { router, go } = await open();
    const lost = new TypeError("Failed to fetch");
    respond = () => throwIt(lost);
    vi.stubGlobal("location", { ...window.location, pathname: "/page", search: "?a=1" });
    await settle(() => go("/page?a=2"));
    expect(router.state).toMatchObject({ errors: null, loaderData: { page: { n: 0 } } });
    expect(router.state.location).toMatchObject({ pathname: "/page", search: "?a=1" });
    expect(shown.current).toBe("navigation");
    vi.stubGlobal("location", { ...window.location, pathname: "/page", search: "?a=2" });
    await settle(() => go("/page?a=2"));
    expect(Object.values(router.state.errors ?? {})).toEqual([lost]);
  });

  it("shows what the server says about the page: that it is gone or not for this visitor", async () => {
    const { router, refresh, go } = await open();
    respond = () => throwIt(new ErrorResponseImpl(404, "", null));
    await refresh();
    expect(router.state.errors).toMatchObject({ page: { status: 404 } });
    respond = () => ({ n: 2 });
    await go("/page");
    respond = () => {
      respond = () => ({ n: 2 });
      throw new Response(null, { status: 302, headers: { Location: "/quote" } });
    };
    await refresh();
    expect(router.state.location.pathname).toBe("/quote");
  });
});

function throwIt(error: unknown): never {
  throw error;
}
