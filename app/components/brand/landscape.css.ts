import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { media } from "~/styles/tokens";

/** The end of the page, not its wallpaper: the land stands under the words, so words never stand on it. */
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
      print: { display: "none" },
    },
  }),
);
export const far = style(inComponents({ fill: color.hillFar }));
/** The grass that is grazed is drawn in the words' colour. */
export const near = style(inComponents({ fill: color.hillNear, color: color.hillNear }));
