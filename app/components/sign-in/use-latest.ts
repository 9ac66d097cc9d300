import { useRef } from "react";

/** The one of several results that changed last. A result that becomes null or undefined does not count. */
export function useLatest<T>(...results: T[]): T | undefined {
  const before = useRef<readonly T[]>([]);
  const latest = useRef<T>();
  const changed = results.find((result, at) => result && result !== before.current[at]);
  if (changed) latest.current = changed;
  before.current = results;
  return latest.current;
}
