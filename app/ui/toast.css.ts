import { fallbackVar, globalStyle, keyframes, style } from "@vanilla-extract/css";
import { coveredByBar } from "~/styles/covered.css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, motion, radius, space } from "~/styles/tokens";

const rise = keyframes({ from: { opacity: 0, transform: "translateY(12px)" } });

const above = fallbackVar(coveredByBar, "0px");

/** Such as a phone in landscape, or a page zoomed to 400%: a message would cover half of it. */
const low = "not all and (min-height: 30em)";

/**
 * On a phone, above a bar, whose button the message may ask the visitor to press again. In wider windows, the bar is
 * usually not at the bottom of the window, but at the end of its form: the message would cover it there.
 */
export const region = style(
  inUi({
    position: "fixed",
    insetInline: 0,
    bottom: space[6],
    zIndex: 5,
    display: "grid",
    justifyItems: "center",
    padding: `0 ${space[4]}`,
    pointerEvents: "none",
    "@media": {
      [media.phone]: { bottom: `calc(${above} + ${space[4]})` },
      [low]: { bottom: 0, padding: 0 },
      print: { display: "none" },
    },
  }),
);
export const toast = style(
  inUi({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "end",
    gap: `${space[2]} ${space[4]}`,
    maxWidth: "600px",
    padding: `${space[3]} ${space[5]}`,
    borderRadius: radius.note,
    background: color.ink,
    color: color.ground,
    boxShadow: color.shadow,
    // Visible only in forced-colours mode, in which the toast has the colours of the page.
    outline: "1px solid transparent",
    fontSize: fontSize.small,
    fontWeight: fontWeight.strong,
    animation: `${rise} ${motion.calm}`,
    pointerEvents: "auto",
    "@media": { [low]: { gap: space[1], maxWidth: "none", padding: `${space[1]} ${space[4]}`, borderRadius: 0 } },
  }),
);
/** Beside the button even in the narrowest windows. */
export const message = style(inUi({ flex: "1 1 0", minWidth: "12rem" }));
/** Browsers scroll focused controls above the message, which has up to five lines. */
globalStyle(
  `:root:has(${toast})`,
  inUi({ scrollPaddingBottom: `calc(${above} + 10rem)`, "@media": { [low]: { scrollPaddingBottom: "8rem" } } }),
);
