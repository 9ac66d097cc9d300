import { style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, media, space } from "~/styles/tokens";

export const columns = style(
  inRoutes({
    display: "grid",
    gap: space[6],
    "@media": { [media.wide]: { gridTemplateColumns: "repeat(2, minmax(0, 1fr))" } },
  }),
);
export const reading = style(inRoutes({ maxWidth: "68ch" }));
export const aside = style(inRoutes({ fontSize: fontSize.small, color: color.muted }));
