// @vitest-environment jsdom
import { cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useServerClock } from "~/routes/swap/quote/use-server-clock";

// No other test of this worker shows data of this time.
const serverNowMs = Date.parse("2031-07-14T09:26:53Z");

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2031-12-01T00:00:00Z") }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it("keeps counting when a page is shown again with cached data", () => {
  const first = renderHook(() => useServerClock(serverNowMs));
  expect(first.result.current).toBe(serverNowMs);
  first.unmount();
  vi.advanceTimersByTime(70_000);
  expect(renderHook(() => useServerClock(serverNowMs)).result.current).toBe(serverNowMs + 70_000);
  const newer = serverNowMs + 71_000;
  expect(renderHook(() => useServerClock(newer)).result.current).toBe(newer);
});
