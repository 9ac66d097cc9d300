/**
 * The few lines that a welcome page keeps when it ships no React: the arrow keys turn the
 * pages, the first visit is remembered (S03), and a page that comes back from the browser's
 * back/forward cache may be of somebody who signed out since (T11).
 */
const turns = { ArrowLeft: "prev", ArrowRight: "next" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  const rel = event.key === "ArrowLeft" || event.key === "ArrowRight" ? turns[event.key] : null;
  const target = rel ? document.querySelector(`[data-welcome] a[rel=${rel}]`) : null;
  if (target instanceof HTMLElement) target.click();
});

window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

try {
  localStorage.setItem("hasVisited", "true");
} catch {
  // Refused by the browser: the cookie says the same.
}

export {};
