import type { ReactNode } from "react";
import * as styles from "./toast.css";

/** A short status message, with a button. Keep it mounted and empty when there is no message. */
export function Toast({ children, button }: { children?: ReactNode; button?: ReactNode }) {
  return (
    <div className={styles.region} role="status">
      {children ? (
        <div className={styles.toast}>
          <p className={styles.message}>{children}</p>
          {button}
        </div>
      ) : null}
    </div>
  );
}
