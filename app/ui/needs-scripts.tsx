import type { ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import * as styles from "./needs-scripts.css";

/**
 * Controls that need JavaScript: disabled until hydrated, hidden if JavaScript is off. They keep their space while
 * loading, so that nothing moves.
 */
export function NeedsScripts({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  return (
    <fieldset disabled={!hydrated} className={styles.needsScripts}>
      {children}
    </fieldset>
  );
}
