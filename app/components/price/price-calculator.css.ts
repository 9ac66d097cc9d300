import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { media } from "~/styles/tokens";

export const history = style(inComponents({ flexWrap: "nowrap" }));
export const chart = style(
  inComponents({
    flex: 1,
    minWidth: 0,
    height: 28,
    fill: "none",
    stroke: color.accent,
    strokeWidth: 1.5,
  }),
);
/** Only one of the two buttons is shown: the primary one on a phone, where the price comes before the form. */
export const onPhone = style(inComponents({ "@media": { [media.wide]: { display: "none" } } }));
export const onWide = style(inComponents({ "@media": { [`not all and ${media.wide}`]: { display: "none" } } }));
