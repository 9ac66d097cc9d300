import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { media, radius, space } from "~/styles/tokens";

export const cardPadding = { narrow: space[4], wide: space[6] };

export const card = style(
  inUi({
    background: color.raised,
    border: `1px solid ${color.line}`,
    borderRadius: radius.card,
    boxShadow: color.shadow,
    padding: cardPadding.narrow,
    minWidth: 0,
    "@media": { [media.wide]: { padding: cardPadding.wide }, print: { boxShadow: "none", breakInside: "avoid" } },
  }),
);

export const roomy = style(inUi({ "@media": { [media.wide]: { padding: space[8] } } }));
