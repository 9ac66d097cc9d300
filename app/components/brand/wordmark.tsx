import { Link, type LinkProps } from "@remix-run/react";
import { Mark } from "./mark";
import * as styles from "./wordmark.css";

/** The mark and the name, leading home. */
export function Wordmark({ to = "/swap" }: { to?: LinkProps["to"] }) {
  return (
    <Link className={styles.wordmark} to={to} prefetch="intent">
      <Mark />
      Antelope
    </Link>
  );
}
