import type { ReactNode } from "react";
import * as styles from "./spinner.css";

/** A progress indicator with swaying horns. The text says what is in progress. */
export function Spinner({ children }: { children: ReactNode }) {
  return (
    <span className={styles.spinner}>
      <svg className={styles.horns} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
        <path
          className={styles.left}
          d="M12 22C8.300 16.500 7 9.500 8.400 1.600c.1-.7 1.200-.7 1.300 0C10.200 9 11.400 15.500 13.400 21z"
        />
        <path
          className={styles.right}
          d="M12 22c3.700-5.500 5-12.500 3.600-20.400-.1-.7-1.200-.7-1.300 0C13.800 9 12.600 15.500 10.600 21z"
        />
      </svg>
      <span>{children}</span>
    </span>
  );
}
