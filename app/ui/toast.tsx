import type { ReactNode } from "react";
import * as styles from "./toast.css";

/** A short status message. Keep it mounted and empty when there is no message. */
export function Toast({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.region} role="status">
      {children ? <div className={styles.toast}>{children}</div> : null}
    </div>
  );
}
