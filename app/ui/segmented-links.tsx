import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import * as styles from "./segmented-links.css";

export type SegmentedLink = { to: string; label: ReactNode; current: boolean };

/** Switches between views. They are links, because each view has its own URL. */
export function SegmentedLinks({ label, links }: { label: string; links: readonly SegmentedLink[] }) {
  return (
    <nav aria-label={label} className={styles.group}>
      {links.map((link) => (
        <Link
          key={link.to}
          to={link.to}
          prefetch="intent"
          preventScrollReset
          className={styles.link}
          aria-current={link.current ? "page" : undefined}
        >
          {link.label}
        </Link>
      ))}
    </nav>
  );
}
