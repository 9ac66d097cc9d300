import { useLocation, useMatches, useRouteError } from "@remix-run/react";
import { useEffect } from "react";
import { findAround, findRemoved, watchFocus } from "~/ui/watch-focus";

/** The last page. Not in a ref, because the layout and its error screen replace each other. */
let before: { page: string; hash: string } | undefined;

/**
 * Moves the focus after a client-side navigation, as loading a document would: to the heading of the section that
 * the URL's fragment names, otherwise to the page's title. If the page stays but the focused element was removed, the
 * focus moves to its replacement, otherwise to the nearest heading. It does nothing if the page has already moved the
 * focus itself, or only renewed its data.
 */
export function useRouteFocus(): void {
  const { hash, key } = useLocation();
  const last = useMatches().at(-1);
  const isError = Boolean(useRouteError());
  // An error screen counts as a page, and so does each step of the introduction. The path alone would not do, because a
  // renewed price has another path.
  const page = [last?.id, last?.params.step, isError].join();
  useEffect(watchFocus, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation and submission that ends has a new key.
  useEffect(() => {
    // A form posts to the URL without its fragment.
    const moved = before !== undefined && (before.page !== page || (hash !== "" && before.hash !== hash));
    before = { page, hash };
    const removed = findRemoved();
    if (!moved && !removed) return;
    const main = document.querySelector("main");
    const active = document.activeElement;
    if (!main || (active !== main && main.contains(active))) return;
    const nearest = moved
      ? null
      : (document.getElementById(removed?.id ?? "") ??
        findAround("details,section")?.querySelector<HTMLElement>(":scope>summary,h1,h2,h3"));
    const target = nearest ?? findTarget(main, hash);
    // Controls are focusable already.
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
