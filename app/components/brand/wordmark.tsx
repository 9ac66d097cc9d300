import { Link, type LinkProps } from "@remix-run/react";
import { Mark } from "./mark";
import * as styles from "./wordmark.css";

type Props = Pick<LinkProps, "reloadDocument"> & { to?: LinkProps["to"] };

/** The mark and the name, leading home. */
export function Wordmark({ to = "/swap", ...rest }: Props) {
  return (
    <Link className={styles.wordmark} to={to} prefetch="intent" {...rest}>
      <Mark />
      Antelope
    </Link>
  );
}
