import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Icon } from "~/ui/icon";
import * as styles from "./legs.css";

type Props = { source: ReactNode; target: ReactNode; flipTo: string; flipLabel: string };

/** The two amounts of a swap, one above the other, with a link between them that switches direction. */
export function Legs({ source, target, flipTo, flipLabel }: Props) {
  return (
    <div className={styles.legs}>
      {source}
      <Link className={styles.flip} to={flipTo} prefetch="intent" replace preventScrollReset aria-label={flipLabel}>
        <Icon name="flip" />
      </Link>
      {target}
    </div>
  );
}
