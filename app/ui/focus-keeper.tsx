import type { ReactNode } from "react";
import { classNames } from "./class-names";
import * as styles from "./focus-keeper.css";

type Props = {
  /** Names the group, for screen readers. */
  label: string;
  className?: string | undefined;
  children: ReactNode;
};

/**
 * Takes the focus when the focused control in it is removed, so that the next step continues here (watch-focus.ts, which
 * the layout starts).
 */
export function FocusKeeper({ label, className, children }: Props) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div
      role="group"
      aria-label={label}
      tabIndex={-1}
      data-focus-keeper
      className={classNames(styles.focusKeeper, className)}
    >
      {children}
    </div>
  );
}
