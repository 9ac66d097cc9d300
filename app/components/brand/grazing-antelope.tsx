import { Antelope, type PoseProps } from "./antelope";

/** For loading and waiting states. */
export function GrazingAntelope(props: PoseProps) {
  return <Antelope {...props} pose="grazing" />;
}
