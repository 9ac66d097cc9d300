import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { saveInHistoryEntry } from "~/browser/save-in-history-entry";
import { withParams } from "~/lib/paths";

type Outcome = {
  isCurrencySaved: boolean;
  /** Why the last download of the customer's data was refused. */
  dataRefusal: string | null;
  /** The other search params, for links that keep them. */
  search: string;
};

/**
 * What the visitor has just done, according to the URL. The URL forgets it at once, because a reload or Back would say
 * it again.
 */
export function useOutcome(): Outcome {
  const { pathname, search, hash } = useLocation();
  const { saved, data, ...others } = Object.fromEntries(new URLSearchParams(search));
  const path = withParams(pathname, others);
  const isNew = saved !== undefined || data !== undefined;
  useEffect(() => {
    if (isNew) saveInHistoryEntry(path + hash);
  }, [isNew, path, hash]);
  return {
    isCurrencySaved: saved !== undefined,
    dataRefusal: data ?? null,
    search: path.slice(pathname.length),
  };
}
