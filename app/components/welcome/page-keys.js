/**
 * The only script of a welcome page without React: the arrow keys turn the pages, the first visit is stored (S03),
 * and a page restored from the back/forward cache is reloaded, because the visitor may have signed out (T11).
 */
const relByKey = { ArrowLeft: "prev", ArrowRight: "next" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  const rel = event.key === "ArrowLeft" || event.key === "ArrowRight" ? relByKey[event.key] : null;
  const target = rel ? document.querySelector(`[data-welcome] a[rel=${rel}]`) : null;
  if (target instanceof HTMLElement) target.click();
});

window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

try {
  localStorage.setItem("hasVisited", "true");
} catch {
  // Local storage is blocked; the cookie holds the same value.
}

export {};
