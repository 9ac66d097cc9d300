import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { fontSize } from "~/styles/tokens";

/** The amount lengths, in characters, that have a font size of their own. */
export const lengths = [6, 8, 10, 13, 16, 20, 26] as const;
type Sizes = Record<(typeof lengths)[number], string>;

/** The box that an amount must fit into. */
export const box = style(inUi({ containerType: "inline-size" }));

/** A digit is about 0.62 em wide; 0.66 leaves room for the caret. `reserved` is the width of other content. */
function toSizes(reserved: string): Sizes {
  const sizes = lengths.map((digits) => {
    const fitted = `calc((100cqi - ${reserved}) / ${(digits * 0.66).toFixed(1)})`;
    return [digits, style(inUi({ fontSize: `clamp(0.8125rem, ${fitted}, ${fontSize.amount})` }))];
  });
  return Object.fromEntries(sizes) as Sizes;
}
export const withoutCoin = toSizes("0px");
/** For an amount with a coin's icon and symbol on the same line. */
export const withCoin = toSizes("124px");
