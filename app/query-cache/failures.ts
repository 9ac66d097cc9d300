import { useSyncExternalStore } from "react";

/**
 * What failed and has not worked since: `form` if the last submitted form got no response, so that it may or may not
 * have reached the server, and the IDs of routes whose data could not be loaded again.
 */
const failures = new Set<string>();
const listeners = new Set<() => void>();

export function setFailed(what: string, failed: boolean): void {
  if (failed) failures.add(what);
  else failures.delete(what);
  notify();
}

export function clearFailures(): void {
  failures.clear();
  notify();
}

/** The failure to show: a form whose outcome is unknown comes before data that may be outdated. */
export function useFailure(): "form" | "refresh" | null {
  return useSyncExternalStore(
    subscribe,
    () => (failures.has("form") ? "form" : failures.size > 0 ? "refresh" : null),
    () => null,
  );
}

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}
