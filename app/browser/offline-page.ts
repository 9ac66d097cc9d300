/**
 * Registers the service worker (public/sw.js), which caches the pages shown when a page cannot be loaded. At an order's
 * address they say that the order is safe. Only order pages register it, after everything else is loaded. The URL
 * contains the build's version, so that a deployment updates the cached pages.
 */
export function registerOfflinePage(page: Window & typeof globalThis): void {
  const { serviceWorker } = page.navigator;
  if (!import.meta.env.PROD || !serviceWorker) return;
  const register = () => {
    // `all`: the browser takes sw.js from its HTTP cache instead of checking for updates on each navigation.
    serviceWorker.register(`/sw.js?${page.__remixManifest.version}`, { updateViaCache: "all" }).catch(() => {
      // Fails in private windows, for example. Only the offline pages are missing then.
    });
  };
  if (page.document.readyState === "complete") register();
  else page.addEventListener("load", register, { once: true });
}
