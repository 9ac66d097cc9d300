/**
 * The service worker (public/sw.js), which keeps one page: the one that says without a network
 * that the order is safe. Registered on an order's page alone, once everything else is loaded.
 * The build's version is part of its address: after a deployment it takes the page anew.
 */
export function keepOfflinePage(page: Window & typeof globalThis): void {
  const { serviceWorker } = page.navigator;
  if (!import.meta.env.PROD || !serviceWorker) return;
  const register = () => {
    // `all`: its own file is looked for again when an hour is over, and not at each navigation.
    serviceWorker.register(`/sw.js?${page.__remixManifest.version}`, { updateViaCache: "all" }).catch(() => {
      // A browser that keeps nothing, as in a private window. Only the page without a network is missing.
    });
  };
  if (page.document.readyState === "complete") register();
  else page.addEventListener("load", register, { once: true });
}
