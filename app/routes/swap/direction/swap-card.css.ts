import { globalStyle, style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";
import { cardPadding } from "~/ui/card.css";

/** Tall enough for the bar to cover only a small part of the window: not a phone in landscape or a zoomed-in page. */
const high = "screen and (min-height: 480px)";

/** Clips the bar to the card's rounded corners. Unlike `hidden`, `clip` lets the bar stick to the window. */
export const card = style(inRoutes({ overflow: "clip" }));

/** The card's last row. While the end of the card is below the fold, it sticks to the bottom of the window. */
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
/** Keeps focused fields above the bar when the browser scrolls to them. */
globalStyle(`:root:has(${bar})`, inRoutes({ "@media": { [high]: { scrollPaddingBottom: "100px" } } }));

/** Hidden in the narrowest windows, where it would wrap to a second row. */
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
/** Takes the rest of the row. The small padding leaves room for a second line of text without growing the bar. */
export const submit = style(inRoutes({ flex: "1 1 150px", padding: `${space[1]} ${space[3]}` }));
