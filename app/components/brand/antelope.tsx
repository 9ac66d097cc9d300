import { classNames } from "~/ui/class-names";
import * as styles from "./antelope.css";
import drawings from "./drawings.svg?url";

/** Pixels per drawing unit. All poses are drawn to the same scale. */
const scales = { small: 0.42, medium: 0.8, large: 1.3 };

/**
 * Width and height of each pose in drawing units. An antelope leaps for a success, grazes while something loads or waits,
 * looks around for an error or a missing page, and drinks if there is nothing to show.
 */
const poses = {
  leaping: [210, 201],
  grazing: [182, 99],
  looking: [128, 193],
  drinking: [187, 108],
} as const;

type Props = {
  pose: keyof typeof poses;
  size?: keyof typeof scales;
  /** The accessible name; without it the image is decorative. */
  label?: string;
  /** Whether it leaps into the page. */
  leap?: boolean;
};

/**
 * A pose in the accent colour. The paths are in one cached SVG file, fetched only by pages that show an antelope,
 * so they add nothing to scripts or documents.
 */
export function Antelope({ pose, size = "medium", label, leap }: Props) {
  const [width, height] = poses[pose];
  return (
    <svg
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
      className={classNames(styles.antelope, leap && styles.leap)}
      viewBox={`0 0 ${width} ${height}`}
      width={Math.round(width * scales[size])}
      height={Math.round(height * scales[size])}
      fill="currentColor"
    >
      <use href={`${drawings}#${pose}`} />
    </svg>
  );
}
