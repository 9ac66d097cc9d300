/*
 * Antelope's service worker. While the visitor is offline it shows a page that says their order is safe. It caches
 * only that page and its assets, as rendered for a signed-out visitor; every other page always comes from the
 * network. To remove it one day, serve an sw.js that unregisters itself.
 */
const cacheName = `offline${location.search}`;
const offlinePath = "/offline";
/** Marks the cached page's asset URLs, so that the worker never serves the assets of other pages. */
const assetSuffix = "?offline";
const assetPattern = /"(\/assets\/[^"#?]+\.(?:css|js|svg))(?=["#])/g;

addEventListener("install", (event) => event.waitUntil(cacheOfflinePage().then(() => skipWaiting())));

addEventListener("activate", (event) => event.waitUntil(activate()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetchPage(event).catch(() => fromCache(offlinePath)));
  } else if (request.url.endsWith(assetSuffix)) {
    event.respondWith(fromCache(request.url));
  }
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});

async function cacheOfflinePage() {
  const cache = await caches.open(cacheName);
  const page = await fetch(offlinePath, { credentials: "omit", cache: "no-store" });
  if (!page.ok) throw new Error(`${offlinePath} responded with ${page.status}`);
  const html = await page.text();
  const paths = [...new Set([...html.matchAll(assetPattern)].map(([, path]) => path))];
  await Promise.all(
    paths.map(async (path) => {
      const asset = await fetch(path);
      if (!asset.ok) throw new Error(`${path} responded with ${asset.status}`);
      await cache.put(path + assetSuffix, asset);
    }),
  );
  const headers = new Headers(page.headers);
  // These describe the original body, which has been decoded and changed.
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  await cache.put(offlinePath, new Response(html.replace(assetPattern, `"$1${assetSuffix}`), { headers }));
}

async function activate() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  // Starts loading pages while this worker starts, so that it doesn't slow them down.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function fetchPage({ request, preloadResponse }) {
  return (await preloadResponse) ?? fetch(request);
}

async function fromCache(url) {
  const cache = await caches.open(cacheName);
  return (await cache.match(url, { ignoreVary: true })) ?? Response.error();
}

async function showPage(url) {
  const open = await clients.matchAll({ type: "window" });
  const page = open.find((client) => client.url === url);
  return page ? page.focus() : clients.openWindow(url);
}
