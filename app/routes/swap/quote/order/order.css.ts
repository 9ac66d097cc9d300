import { globalStyle, keyframes, style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

export const group = style(inRoutes({ display: "grid", gap: space[3] }));
export const payments = style(inRoutes({ display: "grid" }));
export const payment = style(
  inRoutes({
    display: "grid",
    gap: space[1],
    padding: `${space[3]} 0`,
    selectors: { "& + &": { borderTop: `1px solid ${color.line}` } },
    breakInside: "avoid",
  }),
);
export const hash = style(
  inRoutes({
    fontFamily: fontFamily.code,
    fontSize: fontSize.small,
    color: color.muted,
    overflowWrap: "anywhere",
    userSelect: "all",
  }),
);

/** A decision, with its outcome above its button. */
export const choice = style(
  inRoutes({
    display: "grid",
    gap: space[3],
    padding: space[4],
    border: `1px solid ${color.line}`,
    borderRadius: radius.field,
  }),
);
const notYet = keyframes({ from: { pointerEvents: "none" } });
/**
 * Without JavaScript, the page reloads itself, and may then offer other amounts. Like use-just-changed.ts. The second is a
 * delay, because the reset shortens animations for people who prefer reduced motion.
 */
globalStyle(
  `${choice} > button`,
  inRoutes({ "@media": { "(scripting: none)": { animation: `${notYet} 1ms 1s backwards` } } }),
);
/** Where the money goes, in line with the rows above. Opening it shows the whole address. */
export const receiver = style(inRoutes({ display: "flex", justifyContent: "space-between", gap: space[4] }));
globalStyle(`${choice} summary > :first-child`, inRoutes({ flex: 1 }));
globalStyle(
  `${choice} summary`,
  inRoutes({ minHeight: "40px", fontSize: "0.9375rem", fontWeight: fontWeight.medium, gap: space[2] }),
);
/** One more choice: to send what is missing. */
export const rest = style(
  inRoutes({ padding: `${space[1]} ${space[4]}`, border: `1px solid ${color.line}`, borderRadius: radius.field }),
);
globalStyle(`${rest} > [open] > summary`, inRoutes({ paddingBottom: space[2] }));

/** The QR code beside the values to copy; on a handheld device only the values. */
export const pay = style(
  inRoutes({
    display: "grid",
    gap: space[6],
    alignItems: "start",
    gridTemplateColumns: "220px minmax(0, 1fr)",
    "@media": { [media.handheld]: { gridTemplateColumns: "minmax(0, 1fr)" } },
  }),
);
/** What to check before sending. */
export const checks = style(inRoutes({ display: "grid", gap: space[1], margin: `${space[1]} 0 ${space[2]}` }));
export const handheldOnly = style(
  inRoutes({ display: "none", "@media": { [media.handheld]: { display: "grid", gap: space[2] } } }),
);
export const notHandheld = style(inRoutes({ "@media": { [media.handheld]: { display: "none" } } }));
/** A primary button that looks secondary where the link to the wallet is the primary one. */
export const secondaryOnHandheld = style(
  inRoutes({
    "@media": {
      [media.handheld]: {
        forcedColorAdjust: "auto",
        background: color.raised,
        borderColor: color.outline,
        color: color.ink,
      },
      ...hovered({ background: color.sunken }, "&:hover", media.phone),
    },
  }),
);
export const scene = style(
  inRoutes({
    display: "flex",
    justifyContent: "center",
    padding: `${space[4]} 0 ${space[2]}`,
    "@media": { print: { display: "none" } },
  }),
);
/** The time to decide, and what happens after it. */
export const deadline = style(inRoutes({ borderLeft: `3px solid ${color.waiting}`, paddingLeft: space[3] }));
export const head = style(inRoutes({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space[2] }));
export const standaloneText = style(inRoutes({ marginBottom: space[4] }));
/** Hidden when printing. */
export const screenOnly = style(inRoutes({ "@media": { print: { display: "none" } } }));
/** Fills the page when printing. */
export const sheet = style(
  inRoutes({
    "@media": { print: { gridColumn: "1 / -1", border: 0, borderRadius: 0, padding: 0, background: "none" } },
  }),
);
export const printOnly = style(
  inRoutes({ display: "none", "@media": { print: { display: "grid", gap: space[3], overflowWrap: "anywhere" } } }),
);
/** For a part of a line that is printed and not on the screen. */
export const printOnlyInline = style(inRoutes({ display: "none", "@media": { print: { display: "inline" } } }));
