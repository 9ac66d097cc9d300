import type { ReactNode } from "react";
import * as styles from "./visually-hidden.css";

type Props = { children: ReactNode; urgent?: boolean };

/** Speaks what changes inside it. It has to stand in the page before the words come, so keep it mounted. */
export function LiveRegion({ children, urgent = false }: Props) {
  return (
    <div className={styles.visuallyHidden} role={urgent ? "alert" : "status"} aria-atomic="true">
      {children}
    </div>
  );
}
