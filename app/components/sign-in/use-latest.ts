import { useRef } from "react";

/** Returns the current value of whichever result was last set to something other than null or undefined. */
export function useLatest<T>(...results: T[]): T | undefined {
  const before = useRef<readonly T[]>([]);
  const latest = useRef(-1);
  const changed = results.findIndex((result, at) => result && result !== before.current[at]);
  if (changed >= 0) latest.current = changed;
  before.current = results;
  return results[latest.current];
}
