// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentRates } from "~/api/contract";
import { useLiveRates } from "~/components/price/use-live-rates";

/** A wallet of an earlier test in this worker may still ask its node. */
const notOurs = () => Promise.reject<Response>(new Error("not from this test"));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ratesUrl = "/api/rates?range=1h";

it("fetches rates at once on a page that opens later than its document, and whose data may come from the cache", async () => {
  vi.useFakeTimers();
  const fetchRates = vi.fn(async () => Response.json({ as_of: "now" }));
  vi.stubGlobal("fetch", (url: unknown) => (url === ratesUrl ? fetchRates() : notOurs()));
  const initial = { as_of: "loaded" } as unknown as CurrentRates;
  renderHook(() => useLiveRates(initial)).unmount();
  expect(fetchRates).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(15_001));
  const { result } = renderHook(() => useLiveRates(initial));
  expect(fetchRates).toHaveBeenCalledOnce();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current).toEqual({ as_of: "now" });
});

it("never shows older rates after newer ones, however late a response arrives", async () => {
  vi.useFakeTimers();
  const signals: AbortSignal[] = [];
  const answers: ((rates: object) => void)[] = [];
  vi.stubGlobal("fetch", (url: string, { signal }: { signal: AbortSignal }) => {
    if (url !== ratesUrl) return notOurs();
    signals.push(signal);
    return new Promise<Response>((resolve, reject) => {
      answers.push((rates) => resolve(Response.json(rates)));
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  const initial = { as_of: "initial" } as unknown as CurrentRates;
  const { result, unmount } = renderHook(() => useLiveRates(initial));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  answers[1]?.({ as_of: "newer" });
  answers[0]?.({ as_of: "older" });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current).toEqual({ as_of: "newer" });
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  unmount();
  expect(signals[2]?.aborted).toBe(true);
});
