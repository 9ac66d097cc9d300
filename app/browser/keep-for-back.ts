/**
 * Gives the current history entry a URL that says what the visitor has entered, so that Back from the next page shows
 * it again. Call it on submit: the router takes no notice of it, and if the page stays, sets its own URL again.
 */
export function keepForBack(path: string): void {
  window.history.replaceState(window.history.state, "", path);
}
