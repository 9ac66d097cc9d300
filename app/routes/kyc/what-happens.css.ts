import { globalStyle, style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontWeight, space } from "~/styles/tokens";

export const steps = style(inRoutes({ display: "grid", gap: space[2], paddingLeft: space[5], listStyle: "decimal" }));
globalStyle(`${steps} li::marker`, inRoutes({ color: color.accent, fontWeight: fontWeight.strong }));
globalStyle(`${steps} [aria-current]`, inRoutes({ fontWeight: fontWeight.strong }));
