import * as styles from "./skip-link.css";

/** The first focusable element of a page: skips the navigation. */
export function SkipLink({ to = "#main", children = "Skip to main content" }: { to?: string; children?: string }) {
  return (
    <a className={styles.skipLink} href={to}>
      {children}
    </a>
  );
}
