/**
 * E17: a page chunk that fails to load reloads the page, once for each distinct error: after
 * a deployment the reload brings the new names. Remembered for the tab's life, so that a
 * chunk that is really gone ends on the error screen and not in a circle.
 */
const prefix = "antelope.reloaded:";

type Page = { sessionStorage: Storage; location: { reload(): void } };

/** Reloads and answers true, or answers false where this error had its reload (or none can be remembered). */
export function reloadOnce(error: unknown, page: Page = window): boolean {
  const key = prefix + (error instanceof Error ? error.message : String(error)).slice(0, 300);
  try {
    if (page.sessionStorage.getItem(key) !== null) return false;
    page.sessionStorage.setItem(key, "1");
  } catch {
    return false;
  }
  page.location.reload();
  return true;
}

/** Chunks of Vite's own imports announce their failure; those of routes go through vite.config.ts's plugin. */
export function reloadOnChunkFailure(page: Window & typeof globalThis): void {
  page.__antelopeReloadOnce = (error) => reloadOnce(error, page);
  page.addEventListener("vite:preloadError", (event) => {
    if (reloadOnce(event.payload, page)) event.preventDefault();
  });
}

declare global {
  interface Window {
    __antelopeReloadOnce?: (error: unknown) => boolean;
  }
}
