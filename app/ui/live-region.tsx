import type { ReactNode } from "react";
import * as styles from "./visually-hidden.css";

/** Announces its content to screen readers when it changes. Keep it mounted: new regions are not announced. */
export function LiveRegion({ children }: { children: ReactNode }) {
  return (
    <div className={styles.visuallyHidden} role="status" aria-atomic="true">
      {children}
    </div>
  );
}
