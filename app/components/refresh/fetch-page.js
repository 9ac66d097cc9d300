/**
 * Keeps a page without React up to date: fetches it again every few seconds while it is visible, and passes it to the
 * page's own script in a "fetched" event, until that script cancels the event. Reloads the page if a new build has
 * different styles.
 */
const timeoutMs = 10_000;
const reloadedKey = "antelope.reloaded-styles";

const own = document.querySelector("script[data-seconds]");
const intervalMs = Number(own?.getAttribute("data-seconds")) * 1000;
const statuses = (own?.getAttribute("data-statuses") ?? "").split(" ").map(Number);

let fetching = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer = setTimeout(fetchAndSchedule, intervalMs);
document.addEventListener("visibilitychange", fetchAndSchedule);

async function fetchAndSchedule() {
  if (fetching) return;
  fetching = true;
  clearTimeout(timer);
  if (document.visibilityState === "visible") {
    const page = await fetchPage();
    if (page && isOtherBuild(page)) window.location.reload();
    else if (!document.dispatchEvent(new CustomEvent("fetched", { detail: page, cancelable: true }))) {
      document.removeEventListener("visibilitychange", fetchAndSchedule);
      return;
    }
  }
  timer = setTimeout(fetchAndSchedule, intervalMs);
  fetching = false;
}

/**
 * Null if the site doesn't respond, or with another status. XMLHttpRequest parses the page itself: under Trusted Types,
 * scripts may not turn a string into a document.
 * @returns {Promise<Document | null>}
 */
function fetchPage() {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", window.location.href);
    // Requests the page without the styles, which this document already has.
    request.setRequestHeader("Prefer", "return=minimal");
    request.responseType = "document";
    request.timeout = timeoutMs;
    request.onloadend = () => resolve(statuses.includes(request.status) ? request.responseXML : null);
    request.send();
  });
}

/**
 * Whether a page has the style sheets of another build: their names contain hashes. Sheets that translators and
 * extensions add to this document don't count. Returns true only once for the same sheets, in case a
 * reload doesn't load them.
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
