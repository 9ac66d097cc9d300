import { type ReactNode, useEffect, useRef } from "react";
import * as styles from "./focus-keeper.css";

type Props = {
  /** Names the group, for screen readers. */
  label: string;
  children: ReactNode;
};

/**
 * Takes the focus when the focused control in it is removed, so that the next step continues here. For controls that
 * need JavaScript: hidden without it.
 */
export function FocusKeeper({ label, children }: Props) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = group.current;
    if (!element) return;
    let focused: Node | null = null;
    const remember = ({ target }: FocusEvent) => {
      focused = target as Node;
    };
    // The visitor has left the control, unless it has been removed a moment later.
    const forget = ({ target }: FocusEvent) => {
      setTimeout(() => {
        if (focused === target && focused?.isConnected) focused = null;
      });
    };
    // Removing the focused control moves the focus to the body, without an event.
    const observer = new MutationObserver(() => {
      if (focused?.isConnected === false && document.activeElement === document.body)
        element.focus({ preventScroll: true });
    });
    element.addEventListener("focusin", remember);
    element.addEventListener("focusout", forget);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", remember);
      element.removeEventListener("focusout", forget);
      observer.disconnect();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div ref={group} role="group" aria-label={label} tabIndex={-1} className={styles.focusKeeper}>
      {children}
    </div>
  );
}
