import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, media, radius, space } from "~/styles/tokens";

export const sections = style(inRoutes({ display: "grid", gap: space[8], width: "100%" }));
export const columns = style(
  inRoutes({
    display: "grid",
    gap: space[6],
    alignItems: "start",
    "@media": { [media.wide]: { gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)" } },
  }),
);
export const poses = style(inRoutes({ display: "flex", flexWrap: "wrap", alignItems: "flex-end", gap: space[8] }));
export const swatches = style(
  inRoutes({
    display: "grid",
    gridTemplateColumns: "repeat(auto-fill, minmax(96px, 1fr))",
    gap: space[3],
    fontSize: fontSize.small,
  }),
);
export const swatch = style(
  inRoutes({ width: "100%", height: 56, borderRadius: radius.small, border: `1px solid ${color.line}` }),
);
