import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, media, motion, radius } from "~/styles/tokens";

export const legs = style(inComponents({ display: "grid", position: "relative" }));
/** Between the legs, on both: the two ways of one swap. */
export const flip = style(
  inComponents({
    justifySelf: "center",
    display: "grid",
    placeItems: "center",
    width: 44,
    height: 44,
    margin: "-15px 0",
    position: "relative",
    zIndex: 1,
    borderRadius: radius.full,
    background: color.raised,
    border: `1px solid ${color.outline}`,
    color: color.accent,
    fontSize: fontSize.lede,
    transition: `transform ${motion.calm}, border-color ${motion.quick}`,
    ":hover": { transform: "rotate(180deg)", borderColor: color.accent },
  }),
);
export const history = style(inComponents({ flexWrap: "nowrap" }));
export const chart = style(
  inComponents({
    flex: 1,
    minWidth: 0,
    height: 28,
    fill: "none",
    stroke: color.accent,
    strokeWidth: 1.5,
    vectorEffect: "non-scaling-stroke",
  }),
);
/** One of the two is shown: on a phone the price comes first, with the button that stands out. */
export const onPhone = style(inComponents({ "@media": { [media.wide]: { display: "none" } } }));
export const onWide = style(inComponents({ "@media": { [`not all and ${media.wide}`]: { display: "none" } } }));
