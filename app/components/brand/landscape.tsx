import drawings from "./drawings.svg?url";
import * as styles from "./landscape.css";

/** A savanna with three acacias and two antelopes. */
export function Landscape() {
  return (
    <svg className={styles.land} viewBox="0 0 1440 190" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <path className={styles.far} d="M0 120c180-46 330-52 520-28s330 40 520 12 290-34 400-14v100H0z" />
      <g className={styles.near}>
        <use href={`${drawings}#acacia`} transform="translate(0 2)" />
        <use href={`${drawings}#acacia`} transform="translate(1010 12) scale(.8)" />
        <use href={`${drawings}#acacia`} transform="translate(520 60) scale(.36)" />
        <use href={`${drawings}#grazing`} x="700" y="95" width="118" height="64" />
        <use href={`${drawings}#looking`} x="836" y="67" width="62" height="94" />
        <path d="M0 156c220-26 420-20 640-6s520 18 800-14v54H0z" />
      </g>
    </svg>
  );
}
