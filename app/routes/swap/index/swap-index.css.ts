import { style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontWeight, motion, radius, space } from "~/styles/tokens";

const pressable = {
  color: color.ink,
  textDecoration: "none",
  transition: `background ${motion.quick}, border-color ${motion.quick}`,
} as const;

export const lines = style(inRoutes({ display: "grid", marginInline: `-${space[3]}` }));
export const line = style(
  inRoutes({
    ...pressable,
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: `${space[1]} ${space[3]}`,
    position: "relative",
    padding: `${space[2]} ${space[8]} ${space[2]} ${space[3]}`,
    minHeight: "44px",
    borderRadius: radius.note,
    "@media": hovered({ background: color.sunken }),
    // A chevron: the line leads to another page.
    "::after": {
      content: '""',
      position: "absolute",
      right: space[4],
      top: "calc(50% - 5px)",
      width: 9,
      height: 9,
      border: "solid currentColor",
      borderWidth: "2px 2px 0 0",
      transform: "rotate(45deg)",
    },
  }),
);
export const lineName = style(inRoutes({ fontWeight: fontWeight.strong }));

export const recent = style(inRoutes({ display: "grid" }));
export const recentLine = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `0 ${space[3]}`,
    minHeight: "44px",
    // Aligns the text of "Swap again", which has no visible edge around it, with the values above it.
    marginRight: `-${space[3]}`,
  }),
);
export const recentSwap = style(
  inRoutes({
    ...pressable,
    flex: 1,
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `${space[1]} ${space[3]}`,
    minHeight: "44px",
    "@media": hovered({ textDecoration: "underline" }),
  }),
);
