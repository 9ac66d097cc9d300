import { useInsertionEffect, useRef } from "react";

/**
 * The value of the last render that was shown, for callbacks that run later. A ref that is written while rendering would
 * also get the values of renders that React discards.
 */
export function useLatestRef<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  // Before all other effects, because they may read it.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
