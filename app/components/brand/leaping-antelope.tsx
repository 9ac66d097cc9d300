import { Antelope, type PoseProps } from "./antelope";

/** Done: it is over the river. */
export function LeapingAntelope({ leap, ...props }: PoseProps & { leap?: boolean }) {
  return <Antelope {...props} pose="leaping" leap={leap} />;
}
