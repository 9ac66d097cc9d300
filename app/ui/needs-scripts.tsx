import type { ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import * as styles from "./needs-scripts.css";

/**
 * Buttons that only scripts can answer: in the page from the start, so that nothing moves
 * when they come to life; not to be pressed before, and gone where scripts are off.
 */
export function NeedsScripts({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  return (
    <fieldset disabled={!hydrated} className={styles.needsScripts}>
      {children}
    </fieldset>
  );
}
