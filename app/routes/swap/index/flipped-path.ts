import { isAssetSymbol } from "~/lib/assets";
import { type Calculation, firstCalculation, readCalculatedPath, toCalculatedPath } from "~/lib/calculation";
import type { NumberStyle } from "~/lib/number-style";
import { paths, withParams } from "~/lib/paths";

/** The URL of the calculator after its direction was switched. */
export function toFlippedPath({ source, text: amount }: Calculation): string {
  return withParams(paths.swap, { from: source, send: amount });
}

/** The calculation in the URL, or the one to start with. */
export function readFlipped(params: URLSearchParams, numbers: NumberStyle): Calculation {
  const from = params.get("from");
  if (!isAssetSymbol(from)) return firstCalculation;
  return (
    readCalculatedPath(toCalculatedPath({ source: from, text: params.get("send") ?? "" }, numbers), numbers) ??
    firstCalculation
  );
}
