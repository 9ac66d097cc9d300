/**
 * The offline page's script: checks every few seconds whether our server is ready and, when it is, reloads the URL that
 * the visitor opened. (In the meantime, a proxy may send an error or a cached file in its place.) It also reloads it
 * when the browser goes online or offline, because the reason has then changed, and the service worker shows the new
 * one. It applies the theme that the visitor has chosen, because the page is cached without one.
 */
const intervalMs = 5_000;

const theme = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
if (theme) document.documentElement.dataset.theme = theme;

async function tryAgain() {
  try {
    const { ok } = await fetch("/api/status", { cache: "no-store", signal: AbortSignal.timeout(2 * intervalMs) });
    if (ok) reload();
  } catch {
    // There is no network, or no response.
  }
}

const reload = () => window.location.reload();

setInterval(tryAgain, intervalMs);
window.addEventListener("online", reload);
window.addEventListener("offline", reload);
document.querySelector("#try-again")?.addEventListener("click", reload);

export {};
