/**
 * E17: reloads the page if a chunk fails to load, because after a deployment chunks have new names.
 * Once per build, distinct error and tab, so that a chunk that is really missing leads to the error screen and not to
 * a reload loop. (In Safari, all of these errors are the same.) Only while our server responds: offline, or while a
 * proxy answers for a server that is being restarted, a reload would replace a working page with one that says so.
 */

const prefix = "antelope.reloaded:";

type Page = Pick<Window & typeof globalThis, "__remixManifest" | "fetch" | "sessionStorage"> & {
  location: { reload(): void };
};

/** Reloads and resolves with true. Resolves with false if it already did for this error, or can't store that. */
export async function reloadOnce(error: unknown, page: Page = window): Promise<boolean> {
  const key = prefix + page.__remixManifest.version + String(error).slice(0, 300);
  try {
    if (page.sessionStorage.getItem(key) !== null) return false;
    const { ok } = await page.fetch("/api/status", { signal: AbortSignal.timeout(10_000), cache: "no-store" });
    if (!ok) return false;
    // Another failure of the same chunk, which asked at the same time, is already reloading the page.
    if (page.sessionStorage.getItem(key) !== null) return true;
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
  page.addEventListener("vite:preloadError", (event) => void reloadOnce(event.payload, page));
}

declare global {
  interface Window {
    __antelopeReloadOnce?: (error: unknown) => Promise<boolean>;
  }
}
