import type { ReactNode } from "react";
import * as styles from "./empty-state.css";

type Props = {
  picture?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode /** "h1" where it is the whole page. */;
  heading?: "h1" | "h2";
};

/** Nothing here yet: why, and what would fill it. */
export function EmptyState({ picture, title, children, action, heading: Heading = "h2" }: Props) {
  return (
    <div className={styles.empty}>
      {picture}
      <Heading>{title}</Heading>
      {children ? <div className={styles.words}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}
