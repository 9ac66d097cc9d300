import { Antelope, type PoseProps } from "./antelope";

/** Waiting: there is nothing to hurry. */
export function GrazingAntelope(props: PoseProps) {
  return <Antelope {...props} pose="grazing" />;
}
