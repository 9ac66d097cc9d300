import { useState } from "react";

/** Returns the current value of whichever result was last set to something other than null or undefined. */
export function useLatest<T>(...results: T[]): T | undefined {
  const [before, setBefore] = useState({ results, latest: results.findIndex(Boolean) });
  const isNew = (result: T, at: number) => result !== before.results[at];
  if (results.some(isNew)) {
    const latest = results.findIndex((result, at) => result && isNew(result, at));
    setBefore({ results, latest: latest < 0 ? before.latest : latest });
  }
  return results[before.latest];
}
