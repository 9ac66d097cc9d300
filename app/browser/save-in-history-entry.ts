/**
 * Gives the current history entry a URL that says what the visitor has entered, so that Back from the next page shows
 * it again, and so does loading this one again. Only `useKeepTyped` knows whether the entry is this page's. The router
 * ignores the change, and sets its own URL again if the page stays.
 */
export function saveInHistoryEntry(path: string): void {
  window.history.replaceState(window.history.state, "", path);
}
