import { useEffect, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

/**
 * The server's time, ticking once a second: what runs out runs out by the server's clock,
 * however wrong the visitor's is. `serverNowMs` is the time at which the server answered. An
 * answer that came with the document is counted from when that began to arrive, not from
 * when the scripts were ready; any other one from now.
 */
export function useServerClock(serverNowMs: number): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  const hydrated = useHydrated();
  const inDocument = useRef(hydrated ? null : serverNowMs);

  useEffect(() => {
    const receivedMs = inDocument.current === serverNowMs ? documentReceivedMs() : Date.now();
    const skewMs = serverNowMs - receivedMs;
    const tick = () => setNowMs(Date.now() + skewMs);
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [serverNowMs]);

  return nowMs;
}

function documentReceivedMs(): number {
  const [entry] = performance.getEntriesByType("navigation");
  if (!(entry instanceof PerformanceNavigationTiming) || entry.responseStart === 0) return Date.now();
  return performance.timeOrigin + entry.responseStart;
}
