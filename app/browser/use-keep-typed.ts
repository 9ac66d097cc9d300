import { useLocation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/** Browsers limit how often the history entry may change: Safari to 100 times in 30 seconds. */
const pauseMs = 500;

/**
 * Calls `keep` when the visitor pauses while typing, or leaves a field in which something was typed. Keeping it only on
 * leaving the field would be too late for a reload, or on a phone that discards the page: browsers do not fire `blur`
 * first, and what was typed would be lost.
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
  const latest = useRef(keepNow);
  latest.current = keepNow;
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
