/*
 * Antelope's service worker: without a network a page of ours says that the order is safe. It keeps
 * that page and what it is drawn with, as a stranger gets them, and nothing else: every other page
 * comes from the network or not at all. To be rid of it one day, serve a sw.js that unregisters itself.
 */
const cacheName = `offline${location.search}`;
const offlinePath = "/offline";
/** What the page is drawn with is asked for by names of its own, so that no other page's files pass here. */
const mark = "?offline";
const assets = /"(\/assets\/[^"#?]+\.(?:css|js|svg))(?=["#])/g;

addEventListener("install", (event) => event.waitUntil(keepPage().then(() => skipWaiting())));

addEventListener("activate", (event) => event.waitUntil(takeOver()));

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(goOn(event).catch(() => kept(offlinePath)));
  } else if (request.url.endsWith(mark)) {
    event.respondWith(kept(request.url));
  }
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.data));
});

async function keepPage() {
  const cache = await caches.open(cacheName);
  const page = await fetch(offlinePath, { credentials: "omit", cache: "no-store" });
  if (!page.ok) throw new Error(`${offlinePath} answered ${page.status}`);
  const html = await page.text();
  const paths = [...new Set([...html.matchAll(assets)].map(([, path]) => path))];
  await Promise.all(
    paths.map(async (path) => {
      const asset = await fetch(path);
      if (!asset.ok) throw new Error(`${path} answered ${asset.status}`);
      await cache.put(path + mark, asset);
    }),
  );
  const headers = new Headers(page.headers);
  // They are of the bytes that came, which are read by now.
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  await cache.put(offlinePath, new Response(html.replace(assets, `"$1${mark}`), { headers }));
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  // The page is asked for while this worker starts, and so comes no later than without it.
  await registration.navigationPreload?.enable();
  await clients.claim();
}

async function goOn({ request, preloadResponse }) {
  return (await preloadResponse) ?? fetch(request);
}

async function kept(url) {
  const cache = await caches.open(cacheName);
  return (await cache.match(url, { ignoreVary: true })) ?? Response.error();
}

async function showPage(url) {
  const open = await clients.matchAll({ type: "window" });
  const page = open.find((client) => client.url === url);
  return page ? page.focus() : clients.openWindow(url);
}
