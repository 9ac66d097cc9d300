import type { ReactNode } from "react";
import { classNames } from "./class-names";
import * as styles from "./data-list.css";

export type DataRow = {
  term: ReactNode;
  value: ReactNode;
  key?: string;
  /** Emphasised, below a line. */
  total?: boolean;
};

/** A list of terms and values. A row whose term isn't a string needs a `key`. */
export function DataList({ rows }: { rows: readonly DataRow[] }) {
  return (
    <dl className={styles.list}>
      {rows.map(({ term, value, key, total }) => (
        <div key={key ?? String(term)} className={classNames(styles.row, total && styles.total)}>
          <dt className={styles.term}>{term}</dt>
          <dd className={classNames(styles.value, total && styles.totalValue)}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
