import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Direction } from "~/lib/assets";
import { Icon } from "~/ui/icon";
import * as styles from "./legs.css";

type Props = { source: ReactNode; target: ReactNode; direction: Direction; flipTo: string };

/** The two amounts of a swap, one above the other, with a link between them that switches direction. */
export function Legs({ source, target, direction, flipTo }: Props) {
  return (
    <div className={styles.legs}>
      {source}
      {/* The id returns the focus to this link if the form is replaced (use-route-focus.ts). */}
      <Link
        id="flip"
        className={styles.flip}
        data-turned={direction.source === "MOB" || undefined}
        to={flipTo}
        prefetch="intent"
        replace
        preventScrollReset
        aria-label={`Switch direction: ${direction.target} to ${direction.source}`}
      >
        <Icon name="flip" />
      </Link>
      {target}
    </div>
  );
}
