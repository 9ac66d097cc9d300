import type { ReactNode } from "react";
import * as styles from "~/components/welcome/illustration.css";
import { fill } from "~/components/welcome/illustration.css";

type Props = {
  label: string;
  children?: ReactNode;
  /** An antelope in the foreground. */
  antelope?: ReactNode;
  pose?: keyof typeof styles.antelopes;
};

/** The frame of a welcome illustration: a 400 × 300 grid with hills at the bottom. */
export function Scene({ label, children, antelope, pose = "standing" }: Props) {
  return (
    <div className={styles.scene}>
      <svg className={styles.picture} viewBox="0 0 400 300" role="img" aria-label={label}>
        <path className={fill.hillFar} d="M0 246c60-22 120-30 190-18s140 8 210-16v88H0z" />
        <path className={fill.hillNear} d="M0 270c80-16 150-6 230-4s120-12 170-16v50H0z" />
        {children}
      </svg>
      {antelope ? <div className={styles.antelopes[pose]}>{antelope}</div> : null}
    </div>
  );
}
