import { useLocation } from "@remix-run/react";
import { useEffect } from "react";
import { saveInHistoryEntry } from "~/browser/save-in-history-entry";
import { paths, withParams } from "~/lib/paths";

type Outcome = {
  isCurrencySaved: boolean;
  /** Why the last download of the customer's data was refused. */
  dataRefusal: string | null;
  /** The other search params, for links that should keep them. */
  search: string;
};

/**
 * What the visitor has just done, according to the URL. It is removed from the URL at once: otherwise, a reload or Back
 * would show it again.
 */
export function useOutcome(): Outcome {
  const { pathname, search, hash } = useLocation();
  const { saved, data, ...others } = readSearch(search);
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

/** The page's URL with its filters, without what `useOutcome` removes. */
export function useOwnPath(): string {
  const { saved: _, data: __, ...others } = readSearch(useLocation().search);
  return withParams(paths.doger, others);
}

function readSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}
