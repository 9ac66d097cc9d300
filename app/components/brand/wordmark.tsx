import { Link, type LinkProps } from "@remix-run/react";
import { paths } from "~/lib/paths";
import { Mark } from "./mark";
import * as styles from "./wordmark.css";

type Props = Pick<LinkProps, "reloadDocument"> & { to?: LinkProps["to"] };

/** The logo and the name, linking to /swap. */
export function Wordmark({ to = paths.swap, ...rest }: Props) {
  return (
    <Link className={styles.wordmark} to={to} prefetch="intent" {...rest}>
      <Mark />
      Antelope
    </Link>
  );
}
