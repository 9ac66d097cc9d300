import { keyframes, style, styleVariants } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, motion, space } from "~/styles/tokens";

const tickIn = keyframes({ from: { transform: "scale(.4)" } });

export const steps = style(inUi({ display: "flex", flexDirection: "column" }));
export const step = style(
  inUi({
    position: "relative",
    paddingLeft: "36px",
    selectors: {
      "&:not(:last-child)": { paddingBottom: space[5] },
      "&:not(:last-child)::after": {
        content: '""',
        position: "absolute",
        left: 9,
        top: 26,
        bottom: -2,
        width: 2,
        borderRadius: 1,
        background: color.line,
      },
    },
  }),
);
export const dot = style(
  inUi({
    position: "absolute",
    left: 0,
    top: 2,
    display: "grid",
    placeItems: "center",
    width: 20,
    height: 20,
    borderRadius: "50%",
    border: `2px solid ${color.edge}`,
    background: color.raised,
    color: color.raised,
    fontSize: "12px",
  }),
);
export const dots = styleVariants({
  done: inUi({ background: color.good, borderColor: color.good, animation: `${tickIn} ${motion.calm}` }),
  current: inUi({
    borderColor: color.accent,
    boxShadow: `0 0 0 5px ${color.accentSoft}`,
    // Forced-colours mode shows it instead of the shadow.
    outline: "2px solid transparent",
    outlineOffset: "2px",
  }),
  todo: inUi({ borderColor: color.outline }),
  problem: inUi({ background: color.danger, borderColor: color.danger }),
});
export const completed = style(inUi({ selectors: { "&&::after": { background: color.good } } }));
export const title = style(inUi({ display: "block", fontWeight: fontWeight.strong }));
export const upcoming = style(inUi({ color: color.muted, fontWeight: fontWeight.medium }));
export const detail = style(
  inUi({
    fontSize: fontSize.small,
    color: color.muted,
    marginTop: "2px",
    overflowWrap: "anywhere",
    textWrap: "pretty",
  }),
);
