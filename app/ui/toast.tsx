import type { ReactNode } from "react";
import * as styles from "./toast.css";

/** A short word about what was just done. Keep it mounted, empty when there is nothing to say. */
export function Toast({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.region} role="status">
      {children ? <div className={styles.toast}>{children}</div> : null}
    </div>
  );
}
