import * as styles from "./skip-link.css";

/** The first stop of the Tab key: past the navigation, to what the page is about. */
export function SkipLink({ to = "#main", children = "Skip to the content" }: { to?: string; children?: string }) {
  return (
    <a className={styles.skipLink} href={to}>
      {children}
    </a>
  );
}
