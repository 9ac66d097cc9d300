import { useLocation } from "@remix-run/react";
import { type RefObject, useEffect, useRef } from "react";
import { useKeepTyped } from "~/browser/use-keep-typed";
import { useRouteContext } from "~/loaded-data/route-context";

/**
 * After a reload and on Back, shows an address again that was typed or pasted. It is kept in the
 * state of the history entry, and not in its URL, which is shared and logged. It is shown to the same account only:
 * otherwise, coins could be sent to the address of another person who uses the browser.
 *
 * @param name distinguishes the address from others on the same page
 * @returns the field's handlers
 */
export function useKeptAddress(field: RefObject<HTMLTextAreaElement>, name: string) {
  // When a form is refused, the router replaces the entry, under another key.
  const entry = useLocation().key;
  const key = `${useRouteContext().email} ${name}`;
  // The account may change while the page is shown.
  const shown = useRef(key);
  function keep() {
    // Until the effect below has run, the field may still contain the previous account's address.
    if (shown.current !== key) return;
    window.history.replaceState({ ...window.history.state, [key]: field.current?.value }, "");
  }
  const [keepers, keepNow] = useKeepTyped(keep);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `keepNow` changes with `key` only, and needs the entry.
  useEffect(() => {
    const area = field.current;
    if (area?.value && shown.current === key) keepNow();
    else if (area) area.value = window.history.state?.[key] ?? "";
    shown.current = key;
  }, [entry, key]);
  return keepers;
}
