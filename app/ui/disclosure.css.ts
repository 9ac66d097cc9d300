import { style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, motion, radius, space, target } from "~/styles/tokens";

export const summary = style(
  inUi({
    display: "flex",
    alignItems: "center",
    justifyContent: "space-between",
    gap: space[3],
    minHeight: target,
    // Keeps a title of two lines apart from its neighbours.
    padding: `${space[2]} 0`,
    borderRadius: radius.small,
    fontWeight: fontWeight.strong,
    "@media": hovered({ color: color.accent }),
  }),
);
export const quiet = style(
  inUi({
    justifyContent: "start",
    gap: space[1],
    minHeight: "32px",
    padding: 0,
    fontSize: fontSize.small,
    color: color.accent,
  }),
);
export const chevron = style(
  inUi({
    flex: "none",
    transition: `transform ${motion.quick}`,
    selectors: { "details[open] > summary &": { transform: "rotate(180deg)" } },
  }),
);
export const body = style(inUi({ padding: `${space[1]} 0 ${space[3]}` }));
