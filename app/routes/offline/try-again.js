/**
 * What the page without a network does by itself: it asks for a small file of ours every few
 * seconds, and when that comes, loads the page that was wanted, whose address it still has.
 */
const everyMs = 5_000;

async function tryAgain() {
  try {
    await fetch("/robots.txt", { method: "HEAD", cache: "no-store" });
  } catch {
    return;
  }
  window.location.reload();
}

setInterval(tryAgain, everyMs);
window.addEventListener("online", tryAgain);
document.querySelector("#try-again")?.addEventListener("click", () => window.location.reload());

export {};
