import type { ReactNode } from "react";
import { Row } from "./layout";
import * as styles from "./link-row.css";

type Props = { label: string; children: ReactNode };

/** Small links after a label. Links that don't fit on its line continue below the first link, not below the label. */
export function LinkRow({ label, children }: Props) {
  return (
    <div className={styles.linkRow}>
      {label}
      <Row gap={2}>{children}</Row>
    </div>
  );
}
