/**
 * Copies what has changed into the document, element by element, so that an open table, the focus and a text selection
 * survive. components/refresh/fetch-page.js fetches the page.
 */
storeTimeZone();
document.addEventListener("fetched", (event) => {
  const current = document.querySelector("main");
  if (!current || !(event instanceof CustomEvent)) return;
  /** @type {Document | null} */
  const page = event.detail;
  const fresh = page?.querySelector("main");
  if (page && fresh && (hasRates(fresh) || !hasRates(current))) {
    document.title = page.title;
    update(current, fresh);
    document.dispatchEvent(new Event("refreshed"));
  } else if (hasRates(current)) {
    // Keep showing the last known rates, marked as possibly outdated.
    for (const element of current.querySelectorAll("[data-connection]")) {
      element.toggleAttribute("hidden", element.getAttribute("data-connection") === "ok");
    }
  }
  storeTimeZone();
});

/** @param {Element} main */
function hasRates(main) {
  return main.querySelector("[data-connection]") !== null;
}

/** The same as browser/time-zone-cookie.ts, so that the next refresh shows times in the visitor's time zone. */
function storeTimeZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  window.document.cookie = `tz=${timeZone}; Max-Age=31536000; Path=/; SameSite=Lax`;
}

/**
 * Makes `current` equal to `fresh`, changing only the nodes that differ.
 * @param {ChildNode} current
 * @param {ChildNode} fresh
 */
function update(current, fresh) {
  if (current.isEqualNode(fresh)) return;
  // chart-reader.js updates this element.
  if (current instanceof Element && current.hasAttribute("data-kept")) return;
  if (!(current instanceof Element && fresh instanceof Element && current.tagName === fresh.tagName)) {
    current.replaceWith(fresh);
    return;
  }
  for (const name of current.getAttributeNames()) {
    // Whether a <details> is open is up to the visitor.
    if (name !== "open" && !fresh.hasAttribute(name)) current.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) current.setAttribute(name, value);
  const before = [...current.childNodes];
  const after = [...fresh.childNodes];
  for (const [i, child] of after.entries()) {
    const counterpart = before[i];
    if (counterpart) update(counterpart, child);
    else current.append(child);
  }
  for (const leftover of before.slice(after.length)) leftover.remove();
}

export {};
