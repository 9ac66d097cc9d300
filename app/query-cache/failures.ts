import { useSyncExternalStore } from "react";
import { giveUpNavigation } from "./remix-router";

/** The data of an action whose form got no response. It may or may not have reached the server. */
export const noResponse = "no-response";
export type NoResponse = typeof noResponse;

/**
 * What has failed and has not succeeded since:
 * - `form`: there was no response to the last submitted form, which may or may not have reached the server
 * - `navigation`: another page could not be opened
 * - IDs of routes: their data could not be loaded again
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

/**
 * For a page that can't be loaded because the network fails: the page with the link stays, with everything that was
 * typed in it.
 */
export function keepOpenPage(): void {
  if (giveUpNavigation()) setFailed("navigation", true);
}

/** The failure to show: a form whose outcome is unknown comes first, and data that may be outdated last. */
export function useFailure(): "form" | "navigation" | "refresh" | null {
  return useSyncExternalStore(
    subscribe,
    () =>
      (["form", "navigation"] as const).find((what) => failures.has(what)) ?? (failures.size > 0 ? "refresh" : null),
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
