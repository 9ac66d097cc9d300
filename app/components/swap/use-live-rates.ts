import { useEffect, useState } from "react";
import type { Rates } from "~/api/contract";
import type { PublishedRates } from "~/lib/indicative-price";

const everyMs = 15_000;

/** The published rates, asked for again while the page is looked at. A failure keeps what is known. */
export function useLiveRates(initial: PublishedRates): PublishedRates {
  const [rates, setRates] = useState(initial);
  useEffect(() => setRates(initial), [initial]);
  useEffect(() => {
    const stop = new AbortController();
    async function ask() {
      if (document.visibilityState !== "visible") return;
      try {
        const answer = await fetch("/api/rates?range=1h", { signal: stop.signal });
        if (!answer.ok) return;
        const { history: _, ...published } = (await answer.json()) as Rates;
        setRates(published);
      } catch {
        // Out of reach for the moment; the next turn asks again.
      }
    }
    const timer = setInterval(() => void ask(), everyMs);
    return () => {
      clearInterval(timer);
      stop.abort();
    };
  }, []);
  return rates;
}
