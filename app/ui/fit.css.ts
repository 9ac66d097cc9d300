import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { fontSize } from "~/styles/tokens";

/** Digits that there is a size for. */
export const lengths = [6, 8, 10, 13, 16, 20, 26] as const;
type Sizes = Record<(typeof lengths)[number], string>;

/** The box whose width an amount has to fit into. */
export const box = style(inUi({ containerType: "inline-size" }));

/** A digit is some 0.62 of its size wide, and a caret needs room. */
function toSizes(beside: string): Sizes {
  const sizes = lengths.map((digits) => {
    const fitted = `calc((100cqi - ${beside}) / ${(digits * 0.66).toFixed(1)})`;
    return [digits, style(inUi({ fontSize: `clamp(0.8125rem, ${fitted}, ${fontSize.amount})` }))];
  });
  return Object.fromEntries(sizes) as Sizes;
}
export const alone = toSizes("0px");
/** A coin and its symbol stand in the same line. */
export const besideCoin = toSizes("124px");
