import { Antelope, type PoseProps } from "./antelope";

/** Empty: a pause at the water. */
export function DrinkingAntelope(props: PoseProps) {
  return <Antelope {...props} pose="drinking" />;
}
