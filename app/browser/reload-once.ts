/**
 * E17: reloads the page if a chunk fails to load, because after a deployment chunks have new names. It reloads only
 * once per build, error and tab, so that a chunk that is really missing leads to the error screen and not to a reload
 * loop. (In Safari, all of these errors look the same.) It reloads only while our server responds: if the browser is
 * offline, or a proxy responds in place of a server that is being restarted, a reload would replace a working page with
 * an error page.
 */

import { keepOpenPage } from "~/query-cache/failures";

const prefix = "antelope.reloaded:";

type Page = Pick<Window & typeof globalThis, "__remixManifest" | "fetch" | "sessionStorage"> & {
  location: { reload(): void; assign(url: string): void };
};

/**
 * Reloads, or opens `url`, and resolves with true. Resolves with false if it already did for this error, or can't store
 * that.
 */
export async function reloadOnce(error: unknown, page: Page = window, url?: string): Promise<boolean> {
  const key = toKey(error, page);
  try {
    if (hasReloaded(key, page)) return false;
    const { ok } = await page.fetch("/api/status", { signal: AbortSignal.timeout(10_000), cache: "no-store" });
    if (!ok) return false;
    // Another failure of the same chunk at the same time is already reloading the page.
    if (hasReloaded(key, page)) return true;
    page.sessionStorage.setItem(key, "1");
  } catch {
    return false;
  }
  if (url) page.location.assign(url);
  else page.location.reload();
  return true;
}

/**
 * The loader and the action of a route whose code failed to load. If our server responds by now, a link opens its page
 * as a document, and the page with a form is loaded again. If not, the open page stays. Throws if the code is really
 * missing.
 */
export async function openOnce(error: unknown, request: Request, page: Page = window): Promise<never> {
  const url = request.method === "GET" ? request.url : undefined;
  if (await reloadOnce(error, page, url)) return new Promise<never>(() => undefined);
  if (!request.signal.aborted && !hasReloaded(toKey(error, page), page)) keepOpenPage();
  throw error;
}

function toKey(error: unknown, page: Page): string {
  return prefix + page.__remixManifest.version + String(error).slice(0, 300);
}

/** False also if the browser blocks storage, because a page that can't store its reload doesn't reload. */
function hasReloaded(key: string, page: Page): boolean {
  try {
    return page.sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/** Handles failures of Vite's dynamic imports, and of route chunks (see app/vite-plugins/reload-once.ts). */
export function reloadOnChunkFailure(page: Window & typeof globalThis): void {
  page.__antelopeReloadOnce = (error, request) => (request ? openOnce(error, request, page) : reloadOnce(error, page));
  page.addEventListener("vite:preloadError", (event) => void reloadOnce(event.payload, page));
}

declare global {
  interface Window {
    __antelopeReloadOnce?: (error: unknown, request?: Request) => Promise<boolean>;
  }
}
