import { lengths, withoutCoin } from "./fit.css";

type Sizes = Record<(typeof lengths)[number], string>;

/** The class with the largest font size at which an amount fits on one line. A truncated amount would be misread. */
export function fitAmount(amount: string, sizes: Sizes = withoutCoin): string {
  return sizes[lengths.find((digits) => amount.length <= digits) ?? longest];
}

const longest = lengths[lengths.length - 1] ?? 26;
