import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * Moves the focus after a client-side navigation, as loading a document would: to the heading of the section that
 * the URL's fragment names, otherwise to the page's title. It also moves the focus when submitting a form removed the
 * focused element. It does nothing if the page has already moved the focus itself.
 */
export function useRouteFocus(): void {
  const { pathname, hash } = useLocation();
  const { state } = useNavigation();
  const before = useRef({ path: pathname + hash, state });
  useEffect(() => {
    const path = pathname + hash;
    if (before.current.path === path && before.current.state === state) return;
    const moved = before.current.path !== path;
    before.current = { path: state === "idle" ? path : before.current.path, state };
    if (state !== "idle") return;
    const main = document.querySelector("main");
    const active = document.activeElement;
    if (!main || (active !== main && main.contains(active)) || (!moved && active !== document.body)) return;
    const target = findTarget(main, hash);
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
  }, [pathname, hash, state]);
}

function findTarget(main: HTMLElement, hash: string): HTMLElement {
  const section = hash === "" ? null : document.getElementById(hash.slice(1));
  if (section === main) return main;
  if (section) return section.querySelector("h2") ?? section;
  return main.querySelector("h1") ?? main;
}
