import { type ReactNode, useEffect, useRef } from "react";

type Props = {
  /** Names the group, for screen readers. */
  label: string;
  children: ReactNode;
};

/** Takes the focus when the focused control in it is removed, so that the next step continues here. */
export function FocusKeeper({ label, children }: Props) {
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = group.current;
    if (!element) return;
    let focused: Node | null = null;
    const remember = ({ target }: FocusEvent) => {
      focused = target as Node;
    };
    // Removing the focused control moves the focus to the body, without an event.
    const observer = new MutationObserver(() => {
      if (focused?.isConnected === false && document.activeElement === document.body) element.focus();
    });
    element.addEventListener("focusin", remember);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", remember);
      observer.disconnect();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div ref={group} role="group" aria-label={label} tabIndex={-1}>
      {children}
    </div>
  );
}
