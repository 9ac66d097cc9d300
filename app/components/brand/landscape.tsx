import drawings from "./antelopes.svg?url";
import * as styles from "./landscape.css";

const acacia =
  "M230 64c-26 5-66 4-84-2 3-7 17-11 30-11 7-8 28-13 46-12 14-7 46-8 62-1 20-2 38 3 44 10 12 1 22 5 24 10-18 7-62 9-92 5-5 2-10 4-11 8-4 12-6 26-6 50h-8c0-20-1-36-4-44-1-6 0-10-2-13z";

/** A savanna with three acacias and two antelopes. */
export function Landscape() {
  return (
    <svg className={styles.land} viewBox="0 0 1440 190" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <path className={styles.far} d="M0 120c180-46 330-52 520-28s330 40 520 12 290-34 400-14v100H0z" />
      <g className={styles.near}>
        <path d={acacia} transform="translate(0 2)" />
        <path d={acacia} transform="translate(1010 12) scale(.8)" />
        <path d={acacia} transform="translate(520 60) scale(.36)" />
        <use href={`${drawings}#grazing`} x="700" y="95" width="118" height="64" />
        <use href={`${drawings}#looking`} x="836" y="67" width="62" height="94" />
        <path d="M0 156c220-26 420-20 640-6s520 18 800-14v54H0z" />
      </g>
    </svg>
  );
}
