import type { ReactNode } from "react";
import * as styles from "./data-list.css";

export type DataRow = { term: ReactNode; value: ReactNode; key?: string };

/** A list of terms and values. A row whose term isn't a string needs a `key`. */
export function DataList({ rows }: { rows: readonly DataRow[] }) {
  return (
    <dl className={styles.list}>
      {rows.map(({ term, value, key }) => (
        <div key={key ?? String(term)} className={styles.row}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
