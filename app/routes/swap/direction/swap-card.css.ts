import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, motion, radius, space } from "~/styles/tokens";

export const legs = style(inComponents({ display: "grid", position: "relative" }));
/** Between the legs, on both: the two ways of one swap. */
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
    transition: `transform ${motion.calm}, border-color ${motion.quick}`,
    ":hover": { transform: "rotate(180deg)", borderColor: color.accent },
  }),
);
export const limits = style(inComponents({ display: "inline-flex", gap: space[3] }));
/** A helper that is a word in a line, with room to press it. */
export const limit = style(
  inComponents({
    minHeight: "24px",
    minWidth: "24px",
    padding: 0,
    border: 0,
    background: "none",
    color: "inherit",
    textDecoration: "underline",
    textDecorationColor: color.outline,
    textUnderlineOffset: "3px",
    ":hover": { color: color.accent },
    ":disabled": { color: "inherit", textDecoration: "none" },
  }),
);
