import { useState } from "react";
import { type Calculation, toCalculationKey } from "~/lib/calculation";
import type { TypedState } from "./use-typed-amounts";

/** What is typed in a calculator. Each calculation that the page loads starts with its own amount. */
export function useTypedCalculation(loaded: Calculation | null): TypedState {
  const key = loaded ? toCalculationKey(loaded) : "";
  const initial = { side: "source", text: loaded?.text ?? "" } as const;
  const [typed, setTyped] = useState<TypedState[0]>(initial);
  const [started, setStarted] = useState(key);
  if (started !== key) {
    setStarted(key);
    setTyped(initial);
  }
  return [typed, setTyped];
}
