import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { media } from "~/styles/tokens";

/** The landscape at the bottom of the page, behind the content. */
export const land = style(
  inComponents({
    display: "block",
    position: "relative",
    zIndex: -1,
    flex: "none",
    width: "100%",
    height: 190,
    marginTop: "-112px",
    overflow: "visible",
    pointerEvents: "none",
    "@media": {
      [media.phone]: { height: 130, marginTop: "-40px" },
      [media.forcedColors]: { visibility: "hidden" },
      print: { display: "none" },
    },
  }),
);
export const far = style(inComponents({ fill: color.hillFar }));
/** `color` as well as `fill`: the grass in the drawing uses currentColor. */
export const near = style(inComponents({ fill: color.hillNear, color: color.hillNear }));
