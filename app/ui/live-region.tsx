import type { ReactNode } from "react";
import * as styles from "./visually-hidden.css";

type Props = { children: ReactNode; urgent?: boolean };

/** Announces its content to screen readers when it changes. Keep it mounted: new regions are not announced. */
export function LiveRegion({ children, urgent = false }: Props) {
  return (
    <div className={styles.visuallyHidden} role={urgent ? "alert" : "status"} aria-atomic="true">
      {children}
    </div>
  );
}
