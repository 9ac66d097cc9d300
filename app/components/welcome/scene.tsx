import type { ReactNode } from "react";
import * as styles from "./drawing.css";
import { fill } from "./drawing.css";

type Props = {
  label: string;
  children?: ReactNode;
  /** A pose on the ground of the scene, and how wide it is there. */
  animal?: ReactNode;
  pace?: keyof typeof styles.animals;
};

/** The frame of a welcome drawing: 400 × 300 units, hills at the foot. */
export function Scene({ label, children, animal, pace = "standing" }: Props) {
  return (
    <div className={styles.scene}>
      <svg className={styles.picture} viewBox="0 0 400 300" role="img" aria-label={label}>
        <path className={fill.far} d="M0 246c60-22 120-30 190-18s140 8 210-16v88H0z" />
        <path className={fill.near} d="M0 270c80-16 150-6 230-4s120-12 170-16v50H0z" />
        {children}
      </svg>
      {animal ? <div className={styles.animals[pace]}>{animal}</div> : null}
    </div>
  );
}
