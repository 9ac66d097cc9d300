/**
 * The offline page's script: requests a small file every few seconds and, once that succeeds, reloads the URL that
 * the visitor opened. It also reloads it when the browser goes online or offline, because the
 * reason has then changed, and the service worker shows the new one.
 */
const intervalMs = 5_000;

async function tryAgain() {
  try {
    await fetch("/robots.txt", { method: "HEAD", cache: "no-store" });
  } catch {
    return;
  }
  reload();
}

const reload = () => window.location.reload();

setInterval(tryAgain, intervalMs);
window.addEventListener("online", reload);
window.addEventListener("offline", reload);
document.querySelector("#try-again")?.addEventListener("click", reload);

export {};
