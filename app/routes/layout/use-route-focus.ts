import { useLocation, useMatches, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Moves the focus after a client-side navigation, as loading a document would: to the heading of the section that
 * the URL's fragment names, otherwise to the page's title. It also moves the focus when submitting a form removed the
 * focused element. It does nothing if the page has already moved the focus itself, or only renewed its data.
 */
export function useRouteFocus(): void {
  const { hash } = useLocation();
  // Not its path: a renewed price has another one.
  const page = useMatches().at(-1)?.id + hash;
  const { state } = useNavigation();
  const before = useRef({ page, state });
  useEffect(() => {
    if (before.current.page === page && before.current.state === state) return;
    const moved = before.current.page !== page;
    before.current = { page: state === "idle" ? page : before.current.page, state };
    if (state !== "idle") return;
    const main = document.querySelector("main");
    const active = document.activeElement;
    if (!main || (active !== main && main.contains(active)) || (!moved && active !== document.body)) return;
    const target = findTarget(main, hash);
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
  }, [page, hash, state]);
}

function findTarget(main: HTMLElement, hash: string): HTMLElement {
  const section = hash === "" ? null : document.getElementById(hash.slice(1));
  if (section === main) return main;
  if (section) return section.querySelector("h2") ?? section;
  return main.querySelector("h1") ?? main;
}
