import { createVar, style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { media, radius, space } from "~/styles/tokens";

/** For content that reaches the card's edges. */
export const cardPadding = createVar();

export const card = style(
  inUi({
    background: color.raised,
    border: `1px solid ${color.line}`,
    borderRadius: radius.card,
    boxShadow: color.shadow,
    vars: { [cardPadding]: space[4] },
    padding: cardPadding,
    minWidth: 0,
    "@media": {
      [media.wide]: { vars: { [cardPadding]: space[6] } },
      print: { boxShadow: "none", breakInside: "avoid" },
    },
  }),
);

export const roomy = style(inUi({ "@media": { [media.wide]: { vars: { [cardPadding]: space[8] } } } }));
