import { useEffect, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

/** Longer than a double click, and than the time between seeing something and clicking it. */
const pauseMs = 1_000;

/**
 * Whether a price has appeared or changed within the last second. A click or a key press is then probably meant for what
 * was there before, so the buttons that accept the price ignore it. A price in the document does not count as new.
 * @param shown what the buttons accept
 */
export function useJustChanged(shown: string): boolean {
  const hydrated = useHydrated();
  const [seen, setSeen] = useState(hydrated ? null : shown);
  useEffect(() => {
    const timer = setTimeout(() => setSeen(shown), pauseMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return seen !== shown;
}
