import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { media, radius, space } from "~/styles/tokens";

export const card = style(
  inUi({
    background: color.raised,
    border: `1px solid ${color.line}`,
    borderRadius: radius.card,
    boxShadow: color.shadow,
    padding: space[4],
    minWidth: 0,
    "@media": { [media.wide]: { padding: space[6] }, print: { boxShadow: "none", breakInside: "avoid" } },
  }),
);

export const roomy = style(inUi({ "@media": { [media.wide]: { padding: space[8] } } }));
