import { alone, lengths } from "./fit.css";

type Sizes = Record<(typeof lengths)[number], string>;

/** The class that sets an amount as large as its box has room for: one that is cut or broken is another amount. */
export function fitAmount(amount: string, sizes: Sizes = alone): string {
  return sizes[lengths.find((digits) => amount.length <= digits) ?? longest];
}

const longest = lengths[lengths.length - 1] ?? 26;
