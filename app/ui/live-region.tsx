import type { ReactNode } from "react";
import * as styles from "./visually-hidden.css";

type Props = {
  children: ReactNode;
  /** Also shows its content, such as a note. It doesn't take up space while it is empty. */
  visible?: boolean;
};

/** Announces its content to screen readers when it changes. Keep it mounted: new regions are not announced. */
export function LiveRegion({ children, visible }: Props) {
  return (
    <div className={visible ? styles.roomless : styles.visuallyHidden} role="status" aria-atomic="true">
      {children}
    </div>
  );
}
