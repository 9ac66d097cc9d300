import { useLocation, useMatches, useRouteError } from "@remix-run/react";
import { useEffect } from "react";

/** The last page and its entry. Not in a ref, because the layout and its error screen replace each other. */
let before: { page: string; key: string } | undefined;

/**
 * Moves the focus after a client-side navigation, as loading a document would: to the heading of the section that
 * the URL's fragment names, otherwise to the page's title. It also moves the focus when submitting a form removed the
 * focused element. It does nothing if the page has already moved the focus itself, or only renewed its data.
 */
export function useRouteFocus(): void {
  // Every navigation and submission that ends has a new key.
  const { hash, key } = useLocation();
  const last = useMatches().at(-1);
  // An error counts as a page, and so does each step of the introduction. Not the path: a renewed price has another one.
  const page = `${last?.id}${last?.params.step}${hash}${!useRouteError()}`;
  useEffect(() => {
    const { page: lastPage, key: lastKey } = before ?? { page, key };
    before = { page, key };
    const moved = lastPage !== page;
    if (!moved && lastKey === key) return;
    const main = document.querySelector("main");
    const active = document.activeElement;
    if (!main || (active !== main && main.contains(active)) || (!moved && active !== document.body)) return;
    const target = findTarget(main, hash);
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
  }, [page, hash, key]);
}

function findTarget(main: HTMLElement, hash: string): HTMLElement {
  const section = hash === "" ? null : document.getElementById(hash.slice(1));
  if (section === main) return main;
  if (section) return section.querySelector("h2") ?? section;
  return main.querySelector("h1") ?? main;
}
