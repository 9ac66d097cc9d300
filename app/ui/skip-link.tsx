import * as styles from "./skip-link.css";

/** The first focusable element of a page: skips the navigation. */
export function SkipLink() {
  return (
    <a className={styles.skipLink} href="#main">
      Skip to main content
    </a>
  );
}
