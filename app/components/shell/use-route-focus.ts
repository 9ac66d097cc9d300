import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";

/**
 * A page that came without a document begins at its title, where a document would be read from: the
 * focus goes there once something else is shown, or what had the focus is gone with what was sent.
 * A page that has put the focus somewhere itself is left alone.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const before = useRef({ pathname, state });
  useEffect(() => {
    if (before.current.pathname === pathname && before.current.state === state) return;
    const moved = before.current.pathname !== pathname;
    before.current = { pathname: state === "idle" ? pathname : before.current.pathname, state };
    if (state !== "idle") return;
    const main = document.querySelector("main");
    const active = document.activeElement;
    if (!main || (active !== main && main.contains(active)) || (!moved && active !== document.body)) return;
    const title = main.querySelector("h1") ?? main;
    title.setAttribute("tabindex", "-1");
    title.focus({ preventScroll: true });
  }, [pathname, state]);
}
