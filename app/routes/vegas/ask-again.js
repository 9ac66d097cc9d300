/**
 * The board's only script. Every few seconds, while somebody can see it, it asks for this very
 * page again and takes over what has changed: one drawing, made on the server. What is the same
 * is left alone, and so are an opened table, the focus and a selection.
 */
const everyMs = 5_000;
const patienceMs = 10_000;

let asking = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer = setTimeout(keepAsking, everyMs);
document.addEventListener("visibilitychange", keepAsking);

async function keepAsking() {
  if (asking) return;
  asking = true;
  clearTimeout(timer);
  if (document.visibilityState === "visible") await refresh();
  timer = setTimeout(keepAsking, everyMs);
  asking = false;
}

async function refresh() {
  const shown = document.querySelector("main");
  if (!shown) return;
  keepTimeZone();
  const page = await fetchPage();
  const fresh = page?.querySelector("main");
  if (page && fresh && (isKnown(fresh) || !isKnown(shown))) {
    document.title = page.title;
    follow(shown, fresh);
  } else if (isKnown(shown)) {
    // What was known stays on the wall.
    for (const part of shown.querySelectorAll("[data-reach]")) {
      part.toggleAttribute("hidden", part.getAttribute("data-reach") === "in");
    }
  }
}

/** Null where the site is out of reach, or has something else to say. */
async function fetchPage() {
  try {
    const response = await fetch(window.location.href, { signal: AbortSignal.timeout(patienceMs) });
    return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
  } catch {
    return null;
  }
}

/** @param {Element} board */
function isKnown(board) {
  return board.querySelector("[data-reach]") !== null;
}

/** As browser/keep-time-zone.ts has it: from the second drawing on the times are the visitor's own. */
function keepTimeZone() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  // biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store is not in every browser.
  window.document.cookie = `tz=${timeZone}; Max-Age=31536000; Path=/; SameSite=Lax`;
}

/**
 * Makes what is shown like what has come, part by part.
 * @param {ChildNode} shown
 * @param {ChildNode} fresh
 */
function follow(shown, fresh) {
  if (shown.isEqualNode(fresh)) return;
  if (!(shown instanceof Element && fresh instanceof Element && shown.tagName === fresh.tagName)) {
    shown.replaceWith(fresh);
    return;
  }
  for (const name of shown.getAttributeNames()) {
    // Whether a table is opened is the visitor's.
    if (name !== "open" && !fresh.hasAttribute(name)) shown.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) shown.setAttribute(name, value);
  const before = [...shown.childNodes];
  const after = [...fresh.childNodes];
  for (const [i, child] of after.entries()) {
    const place = before[i];
    if (place) follow(place, child);
    else shown.append(child);
  }
  for (const left of before.slice(after.length)) left.remove();
}

export {};
