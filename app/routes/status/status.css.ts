import { style, styleVariants } from "@vanilla-extract/css";
import { hollow } from "~/styles/hollow";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, media, radius, space } from "~/styles/tokens";

/** Narrow enough that the eye can follow a row. */
export const services = style(inRoutes({ display: "grid", gap: space[3], maxWidth: 480 }));
export const service = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: `${space[1]} ${space[4]}`,
  }),
);
/** A bar for each day. */
export const days = style(inRoutes({ display: "flex", alignItems: "flex-end", gap: "3px", height: 40 }));
const day = style(
  inRoutes({ flex: 1, minWidth: 0, borderRadius: radius.small, height: "100%", forcedColorAdjust: "none" }),
);
const inForcedColors = (rule: { background: string; boxShadow?: string }) => ({
  "@media": { [media.forcedColors]: rule },
});
/** A day with an interruption is also shorter, so that it can be told apart without colour. */
export const levels = styleVariants({
  unknown: [day, inRoutes({ background: color.line, ...inForcedColors(hollow) })],
  good: [day, inRoutes({ background: color.good, ...inForcedColors({ background: "CanvasText" }) })],
  interrupted: [
    day,
    inRoutes({ background: color.waiting, height: "55%", ...inForcedColors({ background: "Highlight" }) }),
  ],
});
export const ends = style(
  inRoutes({
    display: "flex",
    justifyContent: "space-between",
    marginTop: space[2],
    fontSize: fontSize.small,
    color: color.muted,
  }),
);
