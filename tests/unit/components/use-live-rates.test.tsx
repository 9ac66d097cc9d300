// @vitest-environment jsdom
import { act, cleanup, renderHook } from "@testing-library/react";
import { useEffect } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { CurrentRates } from "~/api/contract";
import { useLiveRates } from "~/components/price/use-live-rates";

/** A wallet of an earlier test in this worker may still query its node. */
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

it("fetches rates at once when the visitor returns to a page that was hidden", async () => {
  vi.useFakeTimers();
  const fetchRates = vi.fn(async () => Response.json({ as_of: "now" }));
  vi.stubGlobal("fetch", (url: unknown) => (url === ratesUrl ? fetchRates() : notOurs()));
  const initial = { as_of: "loaded" } as unknown as CurrentRates;
  const { result, unmount } = renderHook(() => useLiveRates(initial));
  const visibility = vi.spyOn(document, "visibilityState", "get");
  const turn = (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state);
    document.dispatchEvent(new Event("visibilitychange"));
  };
  turn("hidden");
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  expect(fetchRates).not.toHaveBeenCalled();
  turn("visible");
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect([fetchRates.mock.calls.length, result.current]).toEqual([1, { as_of: "now" }]);
  unmount();
  turn("visible");
  expect(fetchRates).toHaveBeenCalledOnce();
  visibility.mockRestore();
});

it("never shows older rates after newer ones, however late a response arrives", async () => {
  vi.useFakeTimers();
  const signals: AbortSignal[] = [];
  const respond: ((rates: object) => void)[] = [];
  vi.stubGlobal("fetch", (url: string, { signal }: { signal: AbortSignal }) => {
    if (url !== ratesUrl) return notOurs();
    signals.push(signal);
    return new Promise<Response>((resolve, reject) => {
      respond.push((rates) => resolve(Response.json(rates)));
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  const initial = { as_of: "initial" } as unknown as CurrentRates;
  const { result, unmount } = renderHook(() => useLiveRates(initial));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  respond[1]?.({ as_of: "newer" });
  respond[0]?.({ as_of: "older" });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(result.current).toEqual({ as_of: "newer" });
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  unmount();
  expect(signals[2]?.aborted).toBe(true);
});

/** The loaded rates and the shown rates at each commit. */
const commits: [loaded: CurrentRates, shown: CurrentRates][] = [];
function useShownRates({ loaded }: { loaded: CurrentRates }) {
  const shown = useLiveRates(loaded);
  useEffect(() => void commits.push([loaded, shown]));
}

it("shows newly loaded rates at once, instead of those fetched before", async () => {
  vi.useFakeTimers();
  const toRates = (as_of: string) => ({ as_of }) as unknown as CurrentRates;
  const [first, second, fetched] = [toRates("first"), toRates("second"), toRates("fetched")];
  vi.stubGlobal("fetch", async (url: unknown) => (url === ratesUrl ? Response.json(fetched) : notOurs()));
  const { rerender } = renderHook(useShownRates, { initialProps: { loaded: first } });
  await act(() => vi.advanceTimersByTimeAsync(15_001));
  rerender({ loaded: second });
  expect(commits).toContainEqual([first, fetched]);
  expect(commits).not.toContainEqual([second, fetched]);
  expect(commits.at(-1)).toEqual([second, second]);
});
