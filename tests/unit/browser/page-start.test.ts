import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { requireHydrationRoot } from "~/browser/hydration-root";
import { openOnce, reloadOnChunkFailure, reloadOnce } from "~/browser/reload-once";
import { storeTimeZone } from "~/browser/time-zone-cookie";
import * as failures from "~/query-cache/failures";
import { createQueryClient } from "~/query-cache/query-client";

/** A page whose server responds to health checks with `status`, or not at all. */
function fakePage({ status = 200, broken = false }: { status?: number | null; broken?: boolean } = {}) {
  const stored = new Map<string, string>();
  const reload = vi.fn();
  const assign = vi.fn();
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (broken) throw new Error("QuotaExceeded");
      stored.set(key, value);
    },
  } as unknown as Storage;
  const server = { status, hangs: false };
  const fetch = vi.fn(async (_url: RequestInfo | URL, init?: RequestInit) => {
    if (server.hangs) return new Promise<Response>((_, reject) => init?.signal?.addEventListener("abort", reject));
    if (server.status === null) throw new TypeError("Failed to fetch");
    return new Response(null, { status: server.status });
  });
  const manifest = { version: "1" } as typeof __remixManifest;
  return {
    page: { __remixManifest: manifest, sessionStorage, fetch, location: { reload, assign } },
    reload,
    assign,
    server,
  };
}

describe("the browser's entry", () => {
  it("E17 reloads once for each distinct error", async () => {
    const { page, reload } = fakePage();
    expect(await reloadOnce(new TypeError("a.js failed"), page)).toBe(true);
    expect(await reloadOnce(new TypeError("a.js failed"), page)).toBe(false);
    expect(await reloadOnce(new TypeError("b.js failed"), page)).toBe(true);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it("E17 reloads again after another deployment, even though Safari's errors are all the same", async () => {
    const { page, reload } = fakePage();
    const error = new TypeError("Importing a module script failed.");
    await reloadOnce(error, page);
    page.__remixManifest.version = "2";
    expect(await reloadOnce(error, page)).toBe(true);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it("E17 does not reload if session storage is unavailable", async () => {
    const { page, reload } = fakePage({ broken: true });
    expect(await reloadOnce(new Error("x"), page)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  it.each([null, 502, 503])("E17 does not reload while our server responds with %s, but afterwards", async (status) => {
    const { page, reload, server } = fakePage({ status });
    expect(await reloadOnce(new Error("x"), page)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
    server.status = 200;
    expect(await reloadOnce(new Error("x"), page)).toBe(true);
    expect(page.fetch).toHaveBeenLastCalledWith("/api/status", expect.objectContaining({ cache: "no-store" }));
  });

  it("E17 does not wait forever for a server that does not respond", async () => {
    const giveUp = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(giveUp.signal);
    onTestFinished(() => timeout.mockRestore());
    const { page, reload, server } = fakePage();
    server.hangs = true;
    const reloading = reloadOnce(new Error("x"), page);
    await vi.waitFor(() => expect(page.fetch).toHaveBeenCalled());
    giveUp.abort();
    expect(await reloading).toBe(false);
    expect(timeout).toHaveBeenCalledWith(10_000);
    expect(reload).not.toHaveBeenCalled();
  });

  it("E17 if a page's code failed to load, opens the page as a document once the server responds, or reloads its form", async () => {
    const { page, reload, assign, server } = fakePage({ status: null });
    const error = new TypeError("a.js failed");
    const link = new Request("http://localhost:3000/doger?state=active");
    vi.stubGlobal("window", { __remixRouter: { state: { location: {}, navigation: { state: "idle" } } } });
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(openOnce(error, link, page)).rejects.toBe(error);
    expect([assign, reload].map(({ mock }) => mock.calls)).toEqual([[], []]);
    server.status = 200;
    void openOnce(error, link, page);
    await vi.waitFor(() => expect(assign).toHaveBeenCalledWith(link.url));
    await expect(openOnce(error, link, page)).rejects.toBe(error);
    void openOnce(new TypeError("b.js failed"), new Request(link.url, { method: "POST" }), page);
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(assign).toHaveBeenCalledTimes(1);
  });

  it("E17 keeps the open page if a link's code failed to load and the browser blocks storage", async () => {
    const keepOpenPage = vi.spyOn(failures, "keepOpenPage").mockReturnValue();
    onTestFinished(() => keepOpenPage.mockRestore());
    const blocked = Object.defineProperty(fakePage({ status: null }).page, "sessionStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
    const error = new TypeError("a.js failed");
    await expect(openOnce(error, new Request("http://localhost:3000/register"), blocked)).rejects.toBe(error);
    expect(keepOpenPage).toHaveBeenCalledTimes(1);
  });

  it("E17 reloads if a part of the page or a route fails to load", async () => {
    const { page, reload } = fakePage();
    const window = Object.assign(new EventTarget(), page) as unknown as Parameters<typeof reloadOnChunkFailure>[0];
    reloadOnChunkFailure(window);
    window.dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload: new Error("a.js") }));
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
    expect(await window.__antelopeReloadOnce?.(new Error("a.js"))).toBe(false);
    expect(await window.__antelopeReloadOnce?.(new Error("b.js"))).toBe(true);
  });

  it("stores the time zone when the page is idle, or when the visitor leaves it before", () => {
    vi.useFakeTimers();
    const pages = [0, 1].map(() => Object.assign(new EventTarget(), { document: { cookie: "" } }));
    for (const page of pages) storeTimeZone(page as unknown as Window);
    expect(pages.map(({ document }) => document.cookie)).toEqual(["", ""]);
    pages[0]?.dispatchEvent(new Event("pagehide"));
    expect(pages.map(({ document }) => document.cookie.startsWith("tz="))).toEqual([true, false]);
    vi.runAllTimers();
    expect(pages.map(({ document }) => document.cookie.startsWith("tz="))).toEqual([true, true]);
    vi.useRealTimers();
  });

  it("E06 throws Root element not found if there is nothing to hydrate", () => {
    const document = { documentElement: {}, body: {} } as unknown as Document;
    expect(() => requireHydrationRoot({ document })).toThrow("Root element not found");
    expect(requireHydrationRoot({ document, __remixContext: {} })).toBe(document);
  });

  it("K07 the query client has the specification's times", () => {
    const { queries } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({ staleTime: 300_000, gcTime: 300_000, retry: 3 });
  });

  it("K07 the query client retries a failing query after 1, 2 and 4 s, then fails", async () => {
    vi.useFakeTimers();
    try {
      const startedAt = Date.now();
      const attempts: number[] = [];
      const queryFn = () => {
        attempts.push(Date.now() - startedAt);
        return Promise.reject(new Error("no response"));
      };
      const observer = new QueryObserver(createQueryClient(), { queryKey: ["assets"], queryFn });
      const stop = observer.subscribe(() => undefined);
      await vi.advanceTimersByTimeAsync(120_000);
      expect(observer.getCurrentResult().status).toBe("error");
      stop();
      expect(attempts).toEqual([0, 1_000, 3_000, 7_000]);
      const { retryDelay } = createQueryClient().getDefaultOptions().queries ?? {};
      const delayOf = retryDelay as (attempt: number, error: Error) => number;
      expect([0, 1, 2, 4, 5, 20].map((n) => delayOf(n, new Error("x")))).toEqual([1e3, 2e3, 4e3, 16e3, 30e3, 30e3]);
    } finally {
      vi.useRealTimers();
    }
  });
});
