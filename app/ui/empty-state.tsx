import type { ReactNode } from "react";
import * as styles from "./empty-state.css";

type Props = {
  illustration?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  heading?: "h1" | "h2" | "h3";
};

/** Shown in place of an empty list: why it is empty and how to fill it. */
export function EmptyState({ illustration, title, children, action, heading: Heading = "h2" }: Props) {
  return (
    <div className={styles.empty}>
      {illustration}
      <Heading>{title}</Heading>
      {children ? <div className={styles.text}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}
