import * as styles from "./countdown-ring.css";

export type CountdownRingProps = {
  /** The remaining part of `total`, in the same unit. */
  left: number;
  total: number;
};

/** Remaining time as a ring. Hidden from screen readers: show the time as text next to it. */
export function CountdownRing({ left, total }: CountdownRingProps) {
  const share = total > 0 ? Math.min(1, Math.max(0, left / total)) : 0;
  return (
    <svg className={styles.ring} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <circle cx="10" cy="10" r="8" stroke="currentColor" strokeOpacity=".25" strokeWidth="3" />
      {share > 0 ? (
        <circle
          className={styles.remaining}
          cx="10"
          cy="10"
          r="8"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinecap="round"
          pathLength="100"
          strokeDasharray="100 100"
          strokeDashoffset={100 - share * 100}
        />
      ) : null}
    </svg>
  );
}
