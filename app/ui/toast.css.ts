import { keyframes, style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, motion, radius, space } from "~/styles/tokens";

const rise = keyframes({ from: { opacity: 0, transform: "translateY(12px)" } });

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
    "@media": { [media.phone]: { bottom: space[4] }, print: { display: "none" } },
  }),
);
export const toast = style(
  inUi({
    maxWidth: "560px",
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
  }),
);
