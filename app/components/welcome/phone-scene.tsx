import * as styles from "./illustration.css";
import { fill } from "./illustration.css";
import { Phone, type PhoneProps } from "./phone";

/** A phone in front of a landscape. */
export function PhoneScene({ label, ...phone }: PhoneProps & { label: string }) {
  return (
    <div className={styles.scene}>
      <svg className={styles.picture} viewBox="0 0 250 264" role="img" aria-label={label}>
        <path className={fill.hillFar} d="M0 214c40-18 90-24 140-12s80 2 110-8v80H0z" />
        <path className={fill.hillNear} d="M0 238c60-14 110-4 160-2s70-6 90-10v50H0z" />
        <Phone {...phone} x={50} y={18} />
      </svg>
    </div>
  );
}
