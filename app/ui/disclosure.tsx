import type { ReactNode } from "react";
import * as styles from "./disclosure.css";
import { Icon } from "./icon";

type Props = { summary: ReactNode; children: ReactNode; open?: boolean };

/** More, for those who want it; the browser's own, so it opens without scripts and is found by search in the page. */
export function Disclosure({ summary, children, open }: Props) {
  return (
    <details open={open}>
      <summary className={styles.summary}>
        <span>{summary}</span>
        <span className={styles.turn}>
          <Icon name="chevron" />
        </span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
