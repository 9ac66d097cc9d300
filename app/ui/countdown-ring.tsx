import { classNames } from "./class-names";
import * as styles from "./countdown-ring.css";

export type CountdownRingProps = {
  /** How much is left of `total`, in the same unit. */
  left: number;
  total: number;
  large?: boolean;
};

/** Time that runs out, drawn; the words beside it say how much is left. */
export function CountdownRing({ left, total, large }: CountdownRingProps) {
  const share = total > 0 ? Math.min(1, Math.max(0, left / total)) : 0;
  return (
    <svg className={classNames(styles.ring, large && styles.large)} viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <circle cx="10" cy="10" r="8" stroke="currentColor" strokeOpacity=".25" strokeWidth="3" />
      {share > 0 ? (
        <circle
          className={styles.rest}
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
