import { useEffect, useState } from "react";
import type { CurrentRates, Rates } from "~/api/contract";
import { isPageVisible, onVisibilityChange } from "~/browser/use-visible";

const refreshMs = 15_000;

/**
 * The published rates, fetched again every 15 s while the page is visible, and at once when it becomes visible or if
 * the document has been open for longer than that: `initial` may then come from the query cache, which keeps data for
 * minutes. After a failure, the last rates stay.
 */
export function useLiveRates(initial: CurrentRates): CurrentRates {
  const [shown, setShown] = useState({ initial, rates: initial });
  if (shown.initial !== initial) setShown({ initial, rates: initial });
  useEffect(() => {
    let abort = new AbortController();
    async function refresh() {
      if (!isPageVisible()) return;
      // If an earlier request is still running, its response would replace newer rates with older ones.
      abort.abort();
      abort = new AbortController();
      try {
        const response = await fetch("/api/rates?range=1h", { signal: abort.signal });
        if (!response.ok) return;
        const { history: _, ...published } = (await response.json()) as Rates;
        setShown((before) => ({ ...before, rates: published }));
      } catch {
        // The next interval tries again.
      }
    }
    const timer = setInterval(() => void refresh(), refreshMs);
    const ignoreVisibility = onVisibilityChange(() => void refresh());
    if (performance.now() > refreshMs) void refresh();
    return () => {
      clearInterval(timer);
      ignoreVisibility();
      abort.abort();
    };
  }, []);
  return shown.rates;
}
