import { classNames } from "~/ui/class-names";
import * as styles from "./antelope.css";
import drawings from "./antelopes.svg?url";

/** Pixels a drawing's unit; every pose is drawn to the same measure, so the animal keeps its size. */
const scales = { small: 0.42, medium: 0.8, large: 1.3 };

export type PoseProps = {
  size?: keyof typeof scales;
  /** What it says; without it the drawing is decoration. */
  label?: string;
};

/** The measure of each pose in the drawing's units. */
const poses = {
  leaping: [210, 201],
  grazing: [182, 99],
  looking: [128, 193],
  drinking: [187, 108],
} as const;

type Props = PoseProps & { pose: keyof typeof poses; leap?: boolean };

/**
 * A pose in one colour, taken from the accent by day and by night. The curves live in one cached file, fetched where
 * an animal is shown: neither the scripts nor the documents of other pages carry them.
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
