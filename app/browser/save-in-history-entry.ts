/**
 * Stores what the visitor has entered in the URL of the current history entry, so that the page shows it again after a
 * reload and when the visitor goes back to it. Only `useKeepTyped` knows whether the entry is this page's. The router
 * ignores the change, and sets its own URL again if the page stays.
 */
export function saveInHistoryEntry(path: string): void {
  window.history.replaceState(window.history.state, "", path);
}
