import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, media, radius } from "~/styles/tokens";

const { ink, muted, raised, sunken, line, outline, accent, accentSoft, onAccent, good, onCoin, hillFar, hillNear } =
  color;
const { coinUsdt: usdt, coinMob: mob } = color;

/** Classes for the colours of the illustrations, because a strict CSP forbids style attributes. */
export const fill = styleVariants(
  { ink, muted, raised, sunken, line, accent, accentSoft, onAccent, good, usdt, mob, hillFar, hillNear },
  (value) => inComponents({ fill: value }),
);
export const stroke = styleVariants({ ink, muted, line, outline, accent, onAccent, good, onCoin, hillNear }, (value) =>
  inComponents({ fill: "none", stroke: value, strokeLinecap: "round", strokeLinejoin: "round" }),
);

/** A card that stands out from the sky in both themes. */
export const sheet = style(inComponents({ fill: color.raised, stroke: color.outline, strokeWidth: 1.5 }));

/** A view of the landscape in the colours of the current theme. */
export const scene = style(
  inComponents({
    position: "relative",
    overflow: "hidden",
    borderRadius: radius.field,
    background: `linear-gradient(${color.ground}, ${color.skyMid} 55%, ${color.skyLow})`,
    border: `1px solid ${color.line}`,
    "@media": { [media.phone]: { marginInline: "-4px" } },
  }),
);
export const picture = style(inComponents({ width: "100%", height: "auto" }));
/** An antelope on the ground of the scene. */
const antelope = style(inComponents({ position: "absolute", left: "50%", bottom: "9%", translate: "-50% 0" }));
/** Its width in each pose, relative to the scene. */
export const antelopes = styleVariants({ leaping: "40%", standing: "27%" }, (width) => [
  antelope,
  inComponents({ width }),
]);
globalStyle(`${antelope} > svg`, inComponents({ width: "100%" }));
/** Exact letter widths: on some screens, small letters are otherwise so wide that they don't fit their box. */
const writing = { fontFamily: fontFamily.text, textRendering: "geometricPrecision" } as const;
export const label = style(inComponents({ ...writing, fontWeight: 600, fontSize: "15px" }));
export const small = style(inComponents({ ...writing, fontWeight: 500, fontSize: "12px" }));
export const tiny = style(inComponents({ ...writing, fontWeight: 500, fontSize: "10.5px" }));
/** Part of an address. */
export const code = style(inComponents({ ...writing, fontFamily: fontFamily.code, fontSize: "11px" }));
/** Marks what to tap: a dot with a border, so that it stands out from a button of the same colour. */
export const touch = style(inComponents({ fill: color.accent, stroke: color.raised, strokeWidth: 2.5 }));
