import { Antelope, type PoseProps } from "./antelope";

/** For empty states. */
export function DrinkingAntelope(props: PoseProps) {
  return <Antelope {...props} pose="drinking" />;
}
