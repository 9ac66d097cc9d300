import type { ReactNode } from "react";
import { classNames } from "./class-names";
import * as styles from "./note.css";

export type NoteProps = {
  tone?: keyof typeof styles.tones;
  title?: ReactNode;
  children?: ReactNode;
  /** A picture before the words: a countdown ring, an icon. */
  icon?: ReactNode;
  action?: ReactNode;
  /** Spoken when it appears: politely, or at once where it is danger. */
  live?: boolean;
  id?: string;
};

export function Note({ tone = "info", title, children, icon, action, live, id }: NoteProps) {
  const role = live ? (tone === "danger" ? "alert" : "status") : undefined;
  return (
    <div id={id} role={role} className={classNames(styles.note, styles.tones[tone])}>
      {icon}
      <div className={styles.words}>
        {title ? <strong className={styles.title}>{title}</strong> : null}
        {title && children ? <div className={styles.body}>{children}</div> : children}
      </div>
      {action}
    </div>
  );
}
