import * as styles from "./drawing.css";
import { fill } from "./drawing.css";
import { Phone, type PhoneProps } from "./phone";

/** One telephone on its piece of land. */
export function PhoneScene({ label, ...phone }: PhoneProps & { label: string }) {
  return (
    <div className={styles.scene}>
      <svg className={styles.picture} viewBox="0 0 250 264" role="img" aria-label={label}>
        <path className={fill.far} d="M0 214c40-18 90-24 140-12s80 2 110-8v80H0z" />
        <path className={fill.near} d="M0 238c60-14 110-4 160-2s70-6 90-10v50H0z" />
        <Phone {...phone} x={50} y={18} />
      </svg>
    </div>
  );
}
