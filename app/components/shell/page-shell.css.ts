import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, pageWidth, space } from "~/styles/tokens";

const side = `max(${space[5]}, calc(50vw - ${pageWidth} / 2))`;

const star = (x: number, y: number, size: number) =>
  `radial-gradient(circle at ${x}px ${y}px, ${color.star} ${size}px, transparent ${size + 0.6}px)`;
/** Seven stars, behind the header only. */
const stars = [
  star(38, 14, 0.7),
  star(96, 72, 0.5),
  star(171, 9, 0.5),
  star(238, 58, 0.8),
  star(301, 22, 0.5),
  star(372, 84, 0.6),
  star(431, 37, 0.5),
].join();

/** The gradient covers the bottom 560 px, however long the page is. */
export const frame = style(
  inComponents({
    position: "relative",
    isolation: "isolate",
    display: "flex",
    flexDirection: "column",
    minHeight: "100vh",
    background: `linear-gradient(${color.ground} calc(100% - 560px), ${color.skyMid} calc(100% - 300px), ${color.skyLow} calc(100% - 100px)) ${color.ground}`,
    overflowX: "clip",
    "::before": {
      content: '""',
      position: "absolute",
      inset: "0 0 auto",
      zIndex: -1,
      height: 96,
      backgroundImage: stars,
      backgroundSize: "460px 96px",
    },
    "@media": { [media.phone]: { "::before": { content: "none" } }, print: { background: "none" } },
  }),
);
export const main = style(
  inComponents({
    flex: 1,
    display: "flex",
    flexDirection: "column",
    width: "100%",
    padding: `${space[6]} ${side} 136px`,
    "@media": { [media.phone]: { padding: `${space[3]} ${space[4]} ${space[16]}` }, print: { padding: 0 } },
  }),
);
export const footer = style(
  inComponents({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `${space[1]} ${space[6]}`,
    padding: `0 ${side} ${space[5]}`,
    background: color.hillNear,
    color: color.ink,
    fontSize: fontSize.small,
    "@media": { [media.phone]: { paddingInline: space[4] }, print: { display: "none" } },
  }),
);
export const footerLink = style(
  inComponents({
    display: "inline-flex",
    alignItems: "center",
    minHeight: "32px",
    color: "inherit",
    fontWeight: fontWeight.medium,
    // On the ground, the accent has too little contrast.
    ":focus-visible": { outlineColor: color.ink },
  }),
);
export const footerEnd = style(inComponents({ marginLeft: "auto", "@media": { [media.phone]: { marginLeft: 0 } } }));
