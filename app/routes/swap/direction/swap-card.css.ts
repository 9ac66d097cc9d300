import { globalStyle, style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";
import { cardPadding } from "~/ui/card.css";

/** High enough that the bar takes little of the window: not a phone on its side, and not a zoomed page. */
const high = "screen and (min-height: 480px)";

/** Cuts the bar's corners off at the end of the card. Unlike `hidden`, `clip` lets the bar stick to the window. */
export const card = style(inRoutes({ overflow: "clip" }));

/** The card's last row. While the card reaches below the window, it stays at the window's bottom edge. */
export const bar = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `${space[2]} ${space[3]}`,
    margin: `0 -${cardPadding.narrow} -${cardPadding.narrow}`,
    padding: `${space[3]} ${cardPadding.narrow}`,
    borderTop: `1px solid ${color.line}`,
    background: color.raised,
    "@media": {
      [high]: {
        position: "sticky",
        bottom: 0,
        zIndex: 2,
      },
      [media.wide]: {
        margin: `0 -${cardPadding.wide} -${cardPadding.wide}`,
        padding: `${space[3]} ${cardPadding.wide}`,
      },
    },
  }),
);
/** Fields that get the focus are scrolled to above the bar. */
globalStyle(`:root:has(${bar})`, inRoutes({ "@media": { [high]: { scrollPaddingBottom: "100px" } } }));

/** Not in the narrowest windows, where the bar would get a second row for it. */
export const receive = style(
  inRoutes({
    display: "grid",
    fontSize: fontSize.small,
    color: color.muted,
    "@media": { "(max-width: 359px)": { display: "none" } },
  }),
);
export const amount = style(
  inRoutes({
    fontSize: fontSize.lede,
    lineHeight: 1.3,
    fontWeight: fontWeight.strong,
    color: color.ink,
    "@media": { [media.phone]: { fontSize: fontSize.body } },
  }),
);
/** As wide as the row allows. A second line of text does not make it higher. */
export const submit = style(inRoutes({ flex: "1 1 150px", padding: `${space[1]} ${space[3]}` }));
