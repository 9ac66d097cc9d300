import { type ReactNode, useCallback, useState } from "react";
import { classNames } from "./class-names";
import * as styles from "./disclosure.css";
import { Icon } from "./icon";

type Props = {
  summary: ReactNode;
  children: ReactNode;
  /** Opens it, at first or later. Only the visitor closes it, because it may contain the focus. */
  open?: boolean;
  /** Smaller, for what few visitors need in each row of a list. */
  quiet?: boolean;
};

/** Collapsible content. A native <details>, so it works without JavaScript. */
export function Disclosure({ summary, children, open, quiet }: Props) {
  const [isOpenAtFirst] = useState(open);
  const openNow = useCallback(
    (details: HTMLDetailsElement | null) => {
      if (details && open) details.open = true;
    },
    [open],
  );
  return (
    <details open={isOpenAtFirst} ref={openNow}>
      <summary className={classNames(styles.summary, quiet && styles.quiet)}>
        <span>{summary}</span>
        <span className={styles.chevron}>
          <Icon name="chevron" />
        </span>
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  );
}
