import { Antelope, type PoseProps } from "./antelope";

/** For error and not-found states. */
export function LookingAntelope(props: PoseProps) {
  return <Antelope {...props} pose="looking" />;
}
