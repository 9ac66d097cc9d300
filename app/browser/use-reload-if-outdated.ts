import { useEffect } from "react";
import { reloadOnce } from "./reload-once";

/**
 * For error screens: reloads the page once if its code may be older than its data. After a deployment, an open page may
 * get data from the newer build, which it can't read.
 */
export function useReloadIfOutdated(thrown: unknown): void {
  useEffect(() => {
    if (thrown instanceof TypeError) void reloadOnce(thrown);
  }, [thrown]);
}
