/**
 * E17: reloads the page if a chunk fails to load, because after a deployment chunks have new names.
 * Once per distinct error and tab, so that a chunk that is really missing leads to the error screen and
 * not to a reload loop.
 */
const prefix = "antelope.reloaded:";

type Page = { sessionStorage: Storage; location: { reload(): void } };

/** Reloads and returns true. Returns false if the page has already reloaded for this error, or storage is blocked. */
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

/** Handles failures of Vite's dynamic imports, and of route chunks (see app/vite-plugins/reload-once.ts). */
export function reloadOnChunkFailure(page: Window & typeof globalThis): void {
  page.__antelopeReloadOnce = (error) => reloadOnce(error, page);
  page.addEventListener("vite:preloadError", (event) => {
    // Offline, a reload would replace the page with one that says that the browser is offline.
    if (page.navigator.onLine && reloadOnce(event.payload, page)) event.preventDefault();
  });
}

declare global {
  interface Window {
    __antelopeReloadOnce?: (error: unknown) => boolean;
  }
}
