import type { ReactNode } from "react";
import { classNames } from "./class-names";
import * as styles from "./note.css";

/** The meaning of a note or a badge, which is its colour. */
export type Tone = keyof typeof styles.tones;

export type NoteProps = {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  /** Shown before the text. */
  icon?: ReactNode;
  action?: ReactNode;
  /**
   * Announced to screen readers when it appears; danger notes interrupt. Others are announced reliably only in a
   * LiveRegion that is mounted before them.
   */
  live?: boolean;
};

export function Note({ tone = "info", title, children, icon, action, live }: NoteProps) {
  const role = live ? (tone === "danger" ? "alert" : "status") : undefined;
  return (
    <div role={role} className={classNames(styles.note, styles.tones[tone], tone !== "info" && styles.emphasis)}>
      {icon}
      <div className={styles.text}>
        {title ? <strong className={styles.title}>{title}</strong> : null}
        {title && children ? <div className={styles.body}>{children}</div> : children}
      </div>
      {action}
    </div>
  );
}
