import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontWeight, space } from "~/styles/tokens";

export const list = style(inRoutes({ width: "100%", maxWidth: 760 }));
export const rows = style(inRoutes({ display: "grid" }));
export const row = style(
  inRoutes({
    display: "grid",
    gap: space[2],
    padding: `${space[5]} 0`,
    selectors: {
      "&:first-child": { paddingTop: 0 },
      "&:last-child": { paddingBottom: 0 },
      "& + &": { borderTop: `1px solid ${color.line}` },
    },
  }),
);
export const name = style(inRoutes({ fontWeight: fontWeight.strong, overflowWrap: "anywhere" }));
