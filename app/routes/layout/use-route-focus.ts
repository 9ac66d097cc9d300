import { useLocation, useMatches, useRouteError } from "@remix-run/react";
import { useEffect } from "react";

/** The last page and its entry. Not in a ref, because the layout and its error screen replace each other. */
let before: { page: string; key: string } | undefined;

/** The element that had the focus last, then those around it. Once it is removed, nothing else says where it was. */
let lastPath: Element[] = [];

function rememberPath(event: FocusEvent) {
  lastPath = event.composedPath() as Element[];
}

/**
 * Moves the focus after a client-side navigation, as loading a document would: to the heading of the section that
 * the URL's fragment names, otherwise to the page's title. If the page stays but the focused element was removed, the
 * focus moves to its replacement, otherwise to the nearest heading. It does nothing if the page has already moved the
 * focus itself, or only renewed its data.
 */
export function useRouteFocus(): void {
  // Every navigation and submission that ends has a new key.
  const { hash, key } = useLocation();
  const last = useMatches().at(-1);
  // An error counts as a page, and so does each step of the introduction. Not the path: a renewed price has another one.
  const page = `${last?.id}${last?.params.step}${hash}${!useRouteError()}`;
  // Adding it again changes nothing.
  useEffect(() => document.addEventListener("focusin", rememberPath), []);
  useEffect(() => {
    const { page: lastPage, key: lastKey } = before ?? { page, key };
    before = { page, key };
    const moved = lastPage !== page;
    if (!moved && (lastKey === key || lastPath[0]?.isConnected !== false)) return;
    const main = document.querySelector("main");
    const active = document.activeElement;
    if (!main || (active !== main && main.contains(active))) return;
    const target = moved ? findTarget(main, hash) : findNearest(main);
    // A control can have the focus anyway.
    if (target.tabIndex < 0) target.tabIndex = -1;
    // On a new page, the router scrolls.
    target.focus({ preventScroll: moved });
  }, [page, hash, key]);
}

function findTarget(main: HTMLElement, hash: string): HTMLElement {
  const section = hash === "" ? null : document.getElementById(hash.slice(1));
  if (section === main) return main;
  if (section) return section.querySelector("h2") ?? section;
  return main.querySelector("h1") ?? main;
}

/** What replaced the element that had the focus, otherwise the heading of what is left around it. */
function findNearest(main: HTMLElement): HTMLElement {
  let target = main.querySelector("h1") ?? main;
  // From the outermost to the innermost.
  for (const around of main.querySelectorAll("details,li,section,article,aside")) {
    if (lastPath.includes(around)) target = around.querySelector<HTMLElement>(":scope>summary,h1,h2,h3") ?? target;
  }
  return document.getElementById(lastPath[0]?.id ?? "") ?? target;
}
