import { describe, expect, it, vi } from "vitest";
import { requireHydrationRoot } from "~/browser/hydration-root";
import { reloadOnce } from "~/browser/reload-once";
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
});
