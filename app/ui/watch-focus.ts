/** The element that last had the focus, followed by its ancestors. Empty once the visitor has moved the focus away. */
let path: Element[] = [];

function remember(event: FocusEvent) {
  path = event.composedPath() as Element[];
}

function clear({ target }: FocusEvent) {
  // Wait, because an element that is being removed is gone only a moment later.
  setTimeout(() => {
    if ((target as Element).isConnected && document.activeElement === document.body) path = [];
  });
}

/** The element that had the focus, if it was removed. */
export function findRemoved(): Element | undefined {
  return path[0]?.isConnected === false ? path[0] : undefined;
}

/**
 * The closest match for the selectors, starting from the nearest ancestor of the last focused element that is still in
 * the document.
 */
export function findAround(selectors: string): HTMLElement | null | undefined {
  return path.find(({ isConnected }) => isConnected)?.closest<HTMLElement>(selectors);
}

/**
 * Remembers where the focus was, because removing a focused element moves it to the body without an event. The
 * innermost FocusKeeper around the element then gets the focus.
 */
export function watchFocus(): () => void {
  document.addEventListener("focusin", remember);
  document.addEventListener("focusout", clear);
  const observer = new MutationObserver(() => {
    if (findRemoved()) findAround("[data-focus-keeper]")?.focus({ preventScroll: true });
  });
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", remember);
    document.removeEventListener("focusout", clear);
    observer.disconnect();
  };
}
