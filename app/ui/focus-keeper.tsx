import { type ReactNode, useEffect, useRef } from "react";
import * as styles from "./focus-keeper.css";

type Props = {
  /** Names the group, for screen readers. */
  label: string;
  children: ReactNode;
};

/** Takes the focus when the focused control in it is removed, so that the next step continues here. */
export function FocusKeeper({ label, children }: Props) {
  const group = useRef<HTMLDivElement>(null);
  const focused = useRef<Element | null>(null);
  useEffect(() => {
    // Removing the focused control moves the focus to the body, without an event.
    const observer = new MutationObserver(() => {
      if (focused.current?.isConnected === false && document.activeElement === document.body)
        group.current?.focus({ preventScroll: true });
    });
    if (group.current) observer.observe(group.current, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      ref={group}
      role="group"
      aria-label={label}
      tabIndex={-1}
      className={styles.focusKeeper}
      onFocus={({ currentTarget, target }) => {
        // A group in this one takes the focus itself, as long as it is there.
        const inner = target.closest("[role=group]");
        focused.current = inner === currentTarget ? target : inner;
      }}
      onBlur={({ currentTarget, target }) => {
        // The visitor has left the control, unless it has been removed a moment later.
        setTimeout(() => {
          if (target.isConnected && !currentTarget.contains(document.activeElement)) focused.current = null;
        });
      }}
    >
      {children}
    </div>
  );
}
