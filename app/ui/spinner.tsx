import type { ReactNode } from "react";
import * as styles from "./spinner.css";

/** A progress indicator with swaying horns. The text says what is in progress. */
export function Spinner({ children }: { children: ReactNode }) {
  return (
    <span className={styles.spinner}>
      <svg className={styles.horns} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        <path className={styles.left} d="M12 22C8.3 16.5 7 9.5 8.4 1.6c.1-.7 1.2-.7 1.3 0C10.2 9 11.4 15.5 13.4 21z" />
        <path
          className={styles.right}
          d="M12 22c3.7-5.5 5-12.5 3.6-20.4-.1-.7-1.2-.7-1.3 0C13.8 9 12.6 15.5 10.6 21z"
        />
      </svg>
      <span>{children}</span>
    </span>
  );
}
