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
    if (hadFocus) focusIn(fresh);
    if (!page?.querySelector("script[data-seconds]")) event.preventDefault();
  }
});

/**
 * The only control is the link that stops the updates. A finished swap does not have one.
 * @param {Element} swap
 */
function focusIn(swap) {
  const link = swap.querySelector("a");
  const heading = swap.querySelector("h1");
  // Not while updates follow, which would then always differ.
  if (heading && !link) heading.tabIndex = -1;
  (link ?? heading)?.focus({ preventScroll: true });
}

export {};
