import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useMemo, useRef } from "react";
import { useLatestRef } from "./use-latest-ref";

/**
 * Loads the page's data again in the background. While data is being loaded, `isIdle` is false: another load would abort
 * that one, and start a slow navigation from the beginning.
 */
export function useIdleRevalidation(): { isIdle(): boolean; revalidate(): void } {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const isIdle = useLatestRef(state === "idle" && navigation.state === "idle");
  return useMemo(() => ({ isIdle: () => isIdle.current, revalidate }), [isIdle, revalidate]);
}

/** Loads the page's data again once each time `isNeeded` becomes true, after any loading that is in progress. */
export function useRevalidationOnce(isNeeded: boolean): void {
  const { isIdle, revalidate } = useIdleRevalidation();
  const isDone = useRef(false);
  // No dependency array, because the component renders again when the data being loaded has arrived.
  useEffect(() => {
    if (isNeeded && !isDone.current && isIdle()) revalidate();
    isDone.current = isNeeded && (isDone.current || isIdle());
  });
}
