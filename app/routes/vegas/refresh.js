/**
 * Keeps the rates page up to date. While the page is visible it fetches the page again every few seconds and
 * copies what changed into the document, element by element, so that an open table, the focus and a text selection
 * survive.
 */
const intervalMs = 5_000;
const timeoutMs = 10_000;
const reloadedKey = "antelope.reloaded-styles";

let refreshing = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer = setTimeout(refreshAndSchedule, intervalMs);
document.addEventListener("visibilitychange", refreshAndSchedule);

async function refreshAndSchedule() {
  if (refreshing) return;
  refreshing = true;
  clearTimeout(timer);
  if (document.visibilityState === "visible") await refresh();
  timer = setTimeout(refreshAndSchedule, intervalMs);
  refreshing = false;
}

async function refresh() {
  const current = document.querySelector("main");
  if (!current) return;
  storeTimeZone();
  const page = await fetchPage();
  // A new build: its markup needs its own styles.
  if (page && isOtherBuild(page)) return window.location.reload();
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
}

/**
 * Null if the site doesn't respond or responds with an error. XMLHttpRequest parses the page itself: under Trusted
 * Types, no script may turn a string into a document.
 * @returns {Promise<Document | null>}
 */
function fetchPage() {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", window.location.href);
    // Without the styles, which this document has.
    request.setRequestHeader("Prefer", "return=minimal");
    request.responseType = "document";
    request.timeout = timeoutMs;
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    request.send();
  });
}

/**
 * Whether a page has the style sheets of another build: their names contain hashes. Sheets that translators and
 * extensions add to this document don't count. Returns true only once for the same sheets, in case a reload doesn't
 * load them.
 * @param {Document} page
 */
function isOtherBuild(page) {
  const styles = listStyles(page);
  try {
    if (styles === listStyles(document) || sessionStorage.getItem(reloadedKey) === styles) return false;
    sessionStorage.setItem(reloadedKey, styles);
    return true;
  } catch {
    // Storage is blocked.
    return false;
  }
}

/** @param {Document} page */
function listStyles(page) {
  const links = page.querySelectorAll('link[rel=stylesheet][href^="/assets/"]');
  return [...links].map((link) => link.getAttribute("href")).join();
}

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
