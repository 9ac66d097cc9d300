/*
 * Antelope's service worker. When a page cannot be loaded it shows one that says why: the browser is offline, or our
 * server does not respond; on an order's address also that the order is safe. It caches only these pages and their
 * assets, as rendered for a signed-out visitor; every other page always comes from the network. It also shows the
 * notifications that the exchange sends, and ends them when the customer signs out. To remove it one day, serve an sw.js
 * that unregisters itself.
 */
const cacheName = `offline${location.search}`;
/** The variants of the page; see toOfflinePage. */
const offlinePages = ["/offline", "/offline?order", "/offline?server", "/offline?order&server"];
/** Marks the cached pages' asset URLs, so that the worker never serves the assets of other pages. */
const assetSuffix = "?offline";
const assetPattern = /"(\/assets\/[^"#?]+\.(?:css|js|svg))(?=["#])/g;

addEventListener("install", (event) => event.waitUntil(cacheOfflinePages().then(() => skipWaiting())));

addEventListener("activate", (event) => event.waitUntil(activate()));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  // Without the fragment, which names a drawing in an SVG file.
  const { origin, pathname, search } = url;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetchPage(event).catch(() => fromCache(toOfflinePage(pathname))));
  } else if (origin === location.origin && search === assetSuffix) {
    event.respondWith(fromCache(pathname + search));
  } else if (isSignOut(request, url)) {
    event.waitUntil(endNotifications());
  }
});

addEventListener("push", (event) => event.waitUntil(notify(event.data.json())));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});

function toOfflinePage(pathname) {
  const words = [pathname.startsWith("/swap/quote/") ? "order" : "", navigator.onLine ? "server" : ""].filter(Boolean);
  return words.length === 0 ? "/offline" : `/offline?${words.join("&")}`;
}

async function cacheOfflinePages() {
  const cache = await caches.open(cacheName);
  const pages = await Promise.all(offlinePages.map(fetchOfflinePage));
  const paths = new Set(pages.flatMap(({ html }) => [...html.matchAll(assetPattern)].map(([, path]) => path)));
  await Promise.all(
    [...paths].map(async (path) => {
      const asset = await fetch(path);
      if (!asset.ok) throw new Error(`${path} responded with ${asset.status}`);
      await cache.put(path + assetSuffix, asset);
    }),
  );
  for (const { path, html, headers } of pages) {
    await cache.put(path, new Response(html.replace(assetPattern, `"$1${assetSuffix}`), { headers }));
  }
}

async function fetchOfflinePage(path) {
  const page = await fetch(path, { credentials: "omit", cache: "no-store" });
  if (!page.ok) throw new Error(`${path} responded with ${page.status}`);
  const headers = new Headers(page.headers);
  // These describe the original body, which has been decoded and changed.
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  return { path, html: await page.text(), headers };
}

async function activate() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  // Starts loading pages while this worker starts, so that it doesn't slow them down.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function fetchPage({ request, preloadResponse }) {
  // If the request fails, Firefox resolves `preloadResponse` with a network error; other browsers reject it.
  const page = (await preloadResponse) ?? (await fetch(request));
  // A proxy responded in place of our server, which marks every response of its own.
  const isFromProxy = [502, 503, 504].includes(page.status) && !page.headers.has("X-Request-Id");
  return page.type === "error" || isFromProxy ? Promise.reject(page) : page;
}

async function fromCache(url) {
  const cache = await caches.open(cacheName);
  return (await cache.match(url, { ignoreVary: true })) ?? Response.error();
}

/** Whether one of our pages signs out. Another site's form is refused, and must not end the notifications. */
function isSignOut({ method, referrer }, { origin, pathname }) {
  const isFromOurPage = origin === location.origin && referrer.startsWith(`${origin}/`);
  return method === "POST" && isFromOurPage && /^\/logout(\.data)?$/.test(pathname);
}

/**
 * Ends this browser's notifications (T84). The exchange ends those of the session that is signed out. But they may belong
 * to an earlier session that has expired, or to a later one whose tokens got lost on their way to this browser.
 */
async function endNotifications() {
  const subscription = await registration.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

/**
 * Shows a notification from the exchange. It replaces an earlier one with the same tag, even one that the page has
 * shown, and alerts again. Each swap and each price alert has a tag of its own.
 */
function notify({ title, body, path }) {
  const { origin, pathname, hash, href } = new URL(path, location.origin);
  const url = origin === location.origin ? href : location.origin;
  const tag = pathname + hash;
  return registration.showNotification(title, { body, icon: "/icon-192.png", data: url, tag, renotify: true });
}

/** Shows the page in the tab in which it is open, whatever the search parameters of either URL, or in a new one. */
async function showPage(url) {
  const withoutSearch = (href) => href.split(/[?#]/, 1)[0];
  const open = await clients.matchAll({ type: "window" });
  const page = open.find((client) => withoutSearch(client.url) === withoutSearch(url));
  return page ? page.focus() : clients.openWindow(url);
}
