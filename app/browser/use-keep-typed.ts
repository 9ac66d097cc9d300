import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useLatestRef } from "~/loaded-data/use-latest-ref";

/** Browsers limit how often the history entry may change: Safari to 100 times in 30 seconds. */
const pauseMs = 500;

/**
 * Calls `keep` when the visitor stops typing for a moment, or leaves a field after typing in it. Waiting until the
 * visitor leaves the field is not enough: if the page is reloaded, or discarded by a phone, browsers do not fire `blur`
 * first, so the typed text would be lost.
 *
 * @returns handlers for the form or the field, and a function that calls `keep` at once. None of them calls it while the
 * history entry is another page's.
 */
export function useKeepTyped(keep: () => void) {
  const { key } = useLocation();
  /** Zero once everything is kept. */
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  function keepNow() {
    // Back and Forward change the entry first, and show its page once it has loaded. "default" is the router's key for
    // an entry without one.
    if ((window.history.state?.key ?? "default") !== key) return;
    clearTimeout(timer.current);
    timer.current = 0;
    keep();
  }
  const latest = useLatestRef(keepNow);
  const handlers = {
    onInput() {
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => latest.current(), pauseMs);
    },
    onBlur() {
      if (timer.current) keepNow();
    },
  };
  return [handlers, keepNow] as const;
}
