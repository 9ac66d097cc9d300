import * as styles from "./icon.css";

/** Line icons on a 24-unit grid. They are hidden from screen readers, so always show one next to its text. */
const paths = {
  chevron: "m6 9.500 6 6 6-6",
  tick: "m5 12.500 4.500 4.500L19 7",
  cross: "m6.500 6.500 11 11m0-11-11 11",
  flip: "M8 4v15m0 0-4-4m4 4 4-4M16 20V5m0 0 4 4m-4-4-4 4",
  out: "M13.500 5H19v5.500M19 5l-8.500 8.500M9 6H5.500v12.500H18V15",
  phone: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zm3 15h2",
  alert: "M12 9v4.500m0 3v.01M12 3.500 2.500 20h19z",
  key: "M15.500 13a5 5 0 1 0-3.600-2.200L4 18.700V21h3v-2h2v-2h2l2.200-2.600M16.500 7.500v.01",
  swap: "M4 8.500h15m0 0-4-4m4 4-4 4M20 16H5m0 0 4 4m-4-4 4-4",
  activity: "M6 5v14M10.500 5v14M15 5v14M2.500 16.500l18-9",
  address: "M12 21c4.500-4.800 6.500-8 6.500-11a6.500 6.500 0 0 0-13 0c0 3 2 6.200 6.500 11zM12 10v.01",
  rates: "M4 19 9 12l4 3.500L20 6",
  help: "M8.800 9A3.200 3.200 0 0 1 12 6c1.900 0 3.200 1.200 3.200 2.900 0 2.400-3.200 2.600-3.200 5m0 4v.01",
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
