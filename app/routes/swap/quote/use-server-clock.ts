import { useEffect, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

/** When data was first shown, by its server time. Going back to a page shows cached data again. */
const firstShownMs = new Map<number, number>();
const maxRemembered = 100;

/**
 * The server's time in ms, updated once a second, so that deadlines do not depend on the visitor's clock.
 * `serverNowMs` is when the server sent the data. For data in the document, time is counted from when
 * the document began to arrive; for any other, from when it was first shown.
 * @param isRunning false if nothing on the page depends on the time any more
 */
export function useServerClock(serverNowMs: number, isRunning = true): number {
  const hydrated = useHydrated();
  const [nowMs, setNowMs] = useState(() => {
    const shownMs = hydrated ? firstShownMs.get(serverNowMs) : undefined;
    return shownMs === undefined ? serverNowMs : serverNowMs + Date.now() - shownMs;
  });
  const inDocument = useRef(hydrated ? null : serverNowMs);

  useEffect(() => {
    const receivedMs =
      firstShownMs.get(serverNowMs) ?? (inDocument.current === serverNowMs ? documentReceivedMs() : Date.now());
    firstShownMs.set(serverNowMs, receivedMs);
    const [oldest] = firstShownMs.keys();
    if (oldest !== undefined && firstShownMs.size > maxRemembered) firstShownMs.delete(oldest);
    const skewMs = serverNowMs - receivedMs;
    const tick = () => setNowMs(Date.now() + skewMs);
    tick();
    if (!isRunning) return;
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [serverNowMs, isRunning]);

  return nowMs;
}

function documentReceivedMs(): number {
  const [entry] = performance.getEntriesByType("navigation");
  if (!(entry instanceof PerformanceNavigationTiming) || entry.responseStart === 0) return Date.now();
  return performance.timeOrigin + entry.responseStart;
}
