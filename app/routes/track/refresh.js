/**
 * Replaces the swap if it has changed. components/refresh/fetch-page.js fetches the page until the swap is finished:
 * the page then has no scripts.
 */
document.addEventListener("fetched", (event) => {
  if (!(event instanceof CustomEvent)) return;
  /** @type {Document | null} */
  const page = event.detail;
  const current = document.querySelector("[data-swap]");
  const fresh = page?.querySelector("[data-swap]");
  // Reload if the link was turned off, or if the exchange responds again.
  if (page && (!fresh || !current)) window.location.reload();
  else if (current && fresh && !current.isEqualNode(fresh)) {
    const title = fresh.querySelector("h1")?.textContent;
    const status = document.querySelector("main [role=status]");
    if (status && title && title !== current.querySelector("h1")?.textContent) status.textContent = title;
    const hadFocus = current.contains(document.activeElement);
    current.replaceWith(fresh);
    // The link that stops the updates is the only control.
    if (hadFocus) fresh.querySelector("a")?.focus({ preventScroll: true });
    if (!page?.querySelector("script[data-seconds]")) event.preventDefault();
  }
});

export {};
