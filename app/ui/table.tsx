import type { ReactNode } from "react";
import { classNames } from "./class-names";
import * as styles from "./table.css";
import { visuallyHidden } from "./visually-hidden.css";

export type Column<Row> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  numeric?: boolean;
  /** Makes the cell the row's header, which screen readers announce. */
  rowHeader?: boolean;
};

export type TableProps<Row> = {
  caption: ReactNode;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** In a narrow window, a row has two or three lines without column names, and the link in its header covers it. */
  compact?: boolean;
};

/** A table. On a phone each row becomes a list; explicit roles keep the table semantics that `display` removes. */
export function Table<Row>({ caption, columns, rows, rowKey, compact }: TableProps<Row>) {
  return (
    // biome-ignore-start lint/a11y: display:block on a phone removes the native roles
    <table className={classNames(styles.table, compact && styles.compact)} role="table">
      <caption className={visuallyHidden}>{caption}</caption>
      <thead className={styles.head} role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              role="columnheader"
              className={classNames(styles.headCell, column.numeric && styles.numeric)}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles.body} role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} className={styles.row} role="row">
            {columns.map((column) => {
              const Cell = column.rowHeader ? "th" : "td";
              return (
                <Cell
                  key={column.key}
                  role={column.rowHeader ? "rowheader" : "cell"}
                  scope={column.rowHeader ? "row" : undefined}
                  className={classNames(styles.cell, column.numeric && styles.numeric)}
                >
                  <span className={styles.cellName} aria-hidden="true">
                    {column.header}
                  </span>
                  <span>{column.cell(row)}</span>
                </Cell>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y: display:block on a phone removes the native roles
  );
}
