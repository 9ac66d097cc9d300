import type { ReactNode } from "react";
import * as styles from "./disclosure.css";
import { Icon } from "./icon";

type Props = { summary: ReactNode; children: ReactNode; open?: boolean };

/** Collapsible content. A native <details>, so it works without JavaScript. */
export function Disclosure({ summary, children, open }: Props) {
  return (
    <details open={open}>
      <summary className={styles.summary}>
        <span>{summary}</span>
        <span className={styles.chevron}>
          <Icon name="chevron" />
        </span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
