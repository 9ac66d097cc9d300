import { type ReactNode, useCallback, useRef } from "react";
import * as styles from "./disclosure.css";
import { Icon } from "./icon";

type Props = {
  summary: ReactNode;
  children: ReactNode;
  /** Opens it, at first or later. Only the visitor closes it, because it may contain the focus. */
  open?: boolean;
};

/** Collapsible content. A native <details>, so it works without JavaScript. */
export function Disclosure({ summary, children, open }: Props) {
  const isOpenAtFirst = useRef(open).current;
  const openNow = useCallback(
    (details: HTMLDetailsElement | null) => {
      if (details && open) details.open = true;
    },
    [open],
  );
  return (
    <details open={isOpenAtFirst} ref={openNow}>
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
