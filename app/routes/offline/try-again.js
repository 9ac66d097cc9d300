/**
 * The offline page's script: requests a small file every few seconds and, once that succeeds, reloads the URL that
 * the visitor opened.
 */
const intervalMs = 5_000;

async function tryAgain() {
  try {
    await fetch("/robots.txt", { method: "HEAD", cache: "no-store" });
  } catch {
    return;
  }
  window.location.reload();
}

setInterval(tryAgain, intervalMs);
window.addEventListener("online", tryAgain);
document.querySelector("#try-again")?.addEventListener("click", () => window.location.reload());

export {};
