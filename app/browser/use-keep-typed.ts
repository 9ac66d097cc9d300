import { useEffect, useRef } from "react";

/** Browsers limit how often the history entry may change: Safari to 100 times in 30 seconds. */
const pauseMs = 500;

/**
 * Calls `keep` when the visitor pauses while typing, or leaves a field in which something was typed. Leaving would be
 * too late for a reload or a phone that discards the page: browsers fire no blur before, and what is kept in the
 * history entry in the meantime is lost.
 *
 * @returns handlers for the form or the field
 */
export function useKeepTyped(keep: () => void) {
  const latest = useRef(keep);
  latest.current = keep;
  /** Zero once everything is kept. */
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  function keepNow() {
    clearTimeout(timer.current);
    timer.current = 0;
    latest.current();
  }
  return {
    onInput() {
      const key = window.history.state?.key;
      clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        // The entry may be the next page's already.
        if (window.history.state?.key === key) keepNow();
      }, pauseMs);
    },
    onBlur() {
      if (timer.current) keepNow();
    },
  };
}
