import * as styles from "./icon.css";

/** Line icons on a 24-unit grid. They are hidden from screen readers, so always show one next to its text. */
const paths = {
  chevron: "m6 9.5 6 6 6-6",
  tick: "m5 12.5 4.5 4.5L19 7",
  cross: "m6.5 6.5 11 11m0-11-11 11",
  flip: "M8 4v15m0 0-4-4m4 4 4-4M16 20V5m0 0 4 4m-4-4-4 4",
  out: "M13.5 5H19v5.5M19 5l-8.5 8.5M9 6H5.5v12.5H18V15",
  key: "M15.5 13a5 5 0 1 0-3.6-2.2L4 18.7V21h3v-2h2v-2h2l2.2-2.6M16.5 7.5v.01",
  swap: "M4 8.5h15m0 0-4-4m4 4-4 4M20 16H5m0 0 4 4m-4-4 4-4",
  activity: "M6 5v14M10.5 5v14M15 5v14M2.5 16.5l18-9",
  address: "M12 21c4.5-4.8 6.5-8 6.5-11a6.5 6.5 0 0 0-13 0c0 3 2 6.2 6.5 11zM12 10v.01",
  rates: "M4 19 9 12l4 3.5L20 6",
  help: "M8.8 9A3.2 3.2 0 0 1 12 6c1.9 0 3.2 1.2 3.2 2.9 0 2.4-3.2 2.6-3.2 5m0 4v.01",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={styles.icon}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
