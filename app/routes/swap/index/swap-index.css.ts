import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, motion, radius, space } from "~/styles/tokens";

const pressable = {
  color: color.ink,
  textDecoration: "none",
  transition: `background ${motion.quick}, border-color ${motion.quick}`,
} as const;

export const directions = style(inRoutes({ display: "grid", gap: space[3] }));
export const direction = style(
  inRoutes({
    ...pressable,
    display: "flex",
    alignItems: "center",
    gap: space[4],
    padding: space[5],
    border: `1px solid ${color.outline}`,
    borderRadius: radius.field,
    background: color.sunken,
    ":hover": { background: color.raised, borderColor: color.accent },
  }),
);
/** The second coin leans on the first, as the money goes. */
export const coins = style(inRoutes({ display: "inline-flex", flex: "none" }));
export const directionText = style(inRoutes({ display: "grid", flex: 1, minWidth: 0 }));
export const directionName = style(
  inRoutes({ fontSize: fontSize.heading, fontWeight: fontWeight.strong, lineHeight: 1.2, letterSpacing: "-.01em" }),
);
export const arrow = style(inRoutes({ color: color.accent, transform: "rotate(-90deg)" }));

export const lines = style(inRoutes({ display: "grid", listStyle: "none", padding: 0, marginInline: `-${space[3]}` }));
export const line = style(
  inRoutes({
    ...pressable,
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: `${space[1]} ${space[3]}`,
    padding: `${space[2]} ${space[3]}`,
    minHeight: "44px",
    borderRadius: radius.note,
    ":hover": { background: color.sunken },
  }),
);
export const lineName = style(inRoutes({ fontWeight: fontWeight.strong }));
