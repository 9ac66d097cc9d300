import { style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, motion, radius } from "~/styles/tokens";

export const legs = style(inComponents({ display: "grid", position: "relative" }));
/** The link that switches direction. It overlaps both amounts, and turns with each switch. */
export const flip = style(
  inComponents({
    justifySelf: "center",
    display: "grid",
    placeItems: "center",
    width: 44,
    height: 44,
    margin: "-15px 0",
    position: "relative",
    zIndex: 1,
    borderRadius: radius.full,
    background: color.raised,
    border: `1px solid ${color.outline}`,
    color: color.accent,
    fontSize: fontSize.lede,
    transition: `transform ${motion.calm}, rotate ${motion.calm}, border-color ${motion.quick}`,
    selectors: { "&[data-turned]": { transform: "rotate(180deg)" } },
    "@media": hovered({ rotate: "180deg", borderColor: color.accent }),
  }),
);
