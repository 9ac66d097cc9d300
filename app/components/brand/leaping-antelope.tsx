import { Antelope, type PoseProps } from "./antelope";

/** For success states. */
export function LeapingAntelope({ leap, ...props }: PoseProps & { leap?: boolean }) {
  return <Antelope {...props} pose="leaping" leap={leap} />;
}
