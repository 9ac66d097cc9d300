/** Fetches the page again every 15 seconds while it is visible, and replaces the swap if it has changed. */
const intervalMs = 15_000;
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
  const page = await fetchPage();
  const current = document.querySelector("[data-swap]");
  const fresh = page?.querySelector("[data-swap]");
  // Reload if the link was turned off, if the exchange answers again, or if a new build has other styles.
  if (page && (!fresh || !current || isOtherBuild(page))) window.location.reload();
  else if (current && fresh && !current.isEqualNode(fresh)) {
    const title = fresh.querySelector("h1")?.textContent;
    const status = document.querySelector("main [role=status]");
    if (status && title && title !== current.querySelector("h1")?.textContent) status.textContent = title;
    current.replaceWith(fresh);
  }
}

/**
 * Null if the site doesn't respond. XMLHttpRequest parses the page itself: under Trusted Types, no script may turn a
 * string into a document.
 * @returns {Promise<Document | null>}
 */
function fetchPage() {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", window.location.href);
    request.responseType = "document";
    request.timeout = timeoutMs;
    request.onloadend = () => resolve([200, 404].includes(request.status) ? request.responseXML : null);
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

export {};
