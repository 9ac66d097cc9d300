import { globalStyle, style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontWeight, space } from "~/styles/tokens";

export const steps = style(inRoutes({ display: "grid", gap: space[2], paddingLeft: space[5], listStyle: "decimal" }));
globalStyle(`${steps} li::marker`, inRoutes({ color: color.accent, fontWeight: fontWeight.strong }));

/** Two short fields side by side, if there is room. */
export const pair = style(
  inRoutes({
    display: "grid",
    gap: space[4],
    gridTemplateColumns: "repeat(auto-fit, minmax(min(220px, 100%), 1fr))",
    alignItems: "start",
  }),
);
