import { QueryObserver } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { requireHydrationRoot } from "~/browser/hydration-root";
import { reloadOnChunkFailure, reloadOnce } from "~/browser/reload-once";
import { storeTimeZone } from "~/browser/time-zone-cookie";
import { createQueryClient } from "~/query-cache/query-client";

function fakePage(broken = false) {
  const stored = new Map<string, string>();
  const reload = vi.fn();
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (broken) throw new Error("QuotaExceeded");
      stored.set(key, value);
    },
  } as unknown as Storage;
  return { page: { sessionStorage, location: { reload } }, reload };
}

describe("the browser's entry", () => {
  it("E17 reloads once for each distinct error", () => {
    const { page, reload } = fakePage();
    expect(reloadOnce(new TypeError("a.js failed"), page)).toBe(true);
    expect(reloadOnce(new TypeError("a.js failed"), page)).toBe(false);
    expect(reloadOnce(new TypeError("b.js failed"), page)).toBe(true);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  it("E17 does not reload if session storage is unavailable", () => {
    const { page, reload } = fakePage(true);
    expect(reloadOnce(new Error("x"), page)).toBe(false);
    expect(reload).not.toHaveBeenCalled();
  });

  it("E17 reloads if a part of the page fails to load, but not offline", () => {
    const { page, reload } = fakePage();
    const navigator = { onLine: false };
    const window = Object.assign(new EventTarget(), page, { navigator });
    reloadOnChunkFailure(window as unknown as Parameters<typeof reloadOnChunkFailure>[0]);
    const fail = () => {
      const event = Object.assign(new Event("vite:preloadError", { cancelable: true }), { payload: new Error("a.js") });
      // Vite throws the error unless the event is cancelled.
      return window.dispatchEvent(event);
    };
    expect([fail(), reload.mock.calls.length]).toEqual([true, 0]);
    navigator.onLine = true;
    expect([fail(), reload.mock.calls.length]).toEqual([false, 1]);
    expect([fail(), reload.mock.calls.length]).toEqual([true, 1]);
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
        return Promise.reject(new Error("no answer"));
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
