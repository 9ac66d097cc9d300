import { Antelope, type PoseProps } from "./antelope";

/** Lost: which way did they go? */
export function LookingAntelope(props: PoseProps) {
  return <Antelope {...props} pose="looking" />;
}
