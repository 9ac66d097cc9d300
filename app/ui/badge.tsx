import type { ReactNode } from "react";
import * as styles from "./badge.css";
import { classNames } from "./class-names";
import type { Tone } from "./note";
import { tones } from "./note.css";

type Props = {
  tone?: Tone;
  children: ReactNode;
  /** Without the dot. */
  plain?: boolean;
};

/** A short status label. The text must not rely on the colour. */
export function Badge({ tone = "info", plain, children }: Props) {
  return <span className={classNames(styles.badge, tones[tone], plain && styles.plain)}>{children}</span>;
}
