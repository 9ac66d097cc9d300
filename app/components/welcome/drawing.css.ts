import { globalStyle, style, styleVariants } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, media, radius } from "~/styles/tokens";

/** Roles for the drawings: a strict CSP knows no style attribute, so every colour is a class. */
const roles = {
  ink: color.ink,
  muted: color.muted,
  raised: color.raised,
  sunken: color.sunken,
  line: color.line,
  outline: color.outline,
  accent: color.accent,
  accentSoft: color.accentSoft,
  onAccent: color.onAccent,
  good: color.good,
  goodSoft: color.goodSoft,
  waiting: color.waiting,
  waitingSoft: color.waitingSoft,
  usdt: color.coinUsdt,
  mob: color.coinMob,
  onCoin: color.onCoin,
  far: color.hillFar,
  near: color.hillNear,
};
export const fill = styleVariants(roles, (value) => inComponents({ fill: value }));
export const stroke = styleVariants(roles, (value) =>
  inComponents({ fill: "none", stroke: value, strokeLinecap: "round", strokeLinejoin: "round" }),
);

/** Something that stands out from the sky by night too. */
export const sheet = style(inComponents({ fill: color.raised, stroke: color.outline, strokeWidth: 1.5 }));

/** A window onto the land, at the hour of the page. */
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
/** An antelope stands in the scene, on its ground. */
const animal = style(inComponents({ position: "absolute", left: "50%", bottom: "9%", translate: "-50% 0" }));
/** It grows with its scene. */
export const animals = styleVariants({ leaping: "40%", standing: "27%" }, (width) => [animal, inComponents({ width })]);
globalStyle(`${animal} > svg`, inComponents({ width: "100%" }));
export const label = style(inComponents({ fontFamily: fontFamily.text, fontWeight: 600, fontSize: "15px" }));
export const small = style(inComponents({ fontFamily: fontFamily.text, fontWeight: 500, fontSize: "12px" }));
export const tiny = style(inComponents({ fontFamily: fontFamily.text, fontWeight: 500, fontSize: "10.5px" }));
