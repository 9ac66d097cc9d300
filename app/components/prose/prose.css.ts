import { globalStyle, style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontWeight, space } from "~/styles/tokens";

/** A page with one text: a column in the middle. */
export const page = style(
  inComponents({ width: "100%", maxWidth: 780, margin: "0 auto", display: "grid", gap: space[6] }),
);
/** Text to read: lines of at most 68 characters. */
export const prose = style(
  inComponents({ display: "grid", gap: space[3], maxWidth: "68ch", overflowWrap: "anywhere" }),
);
export const heading = style(inComponents({ marginTop: space[4], scrollMarginTop: space[4] }));
globalStyle(`${prose} ul, ${prose} ol`, inComponents({ display: "grid", gap: space[2], paddingLeft: space[5] }));
globalStyle(`${prose} ul`, inComponents({ listStyle: "disc" }));
globalStyle(`${prose} ol`, inComponents({ listStyle: "decimal" }));
globalStyle(`${prose} li::marker`, inComponents({ color: color.accent, fontWeight: fontWeight.strong }));
