import { globalStyle, style } from "@vanilla-extract/css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

/** The page's horizontal margin: at common widths, the logo is where it is on other pages. */
export const pagePadding = "clamp(16px, 10vw - 48px, 96px)";

/** The page is a landscape: sky, the chart as a ridge, and the ground below. */
export const page = style(
  inRoutes({
    display: "flex",
    flexDirection: "column",
    minHeight: "100vh",
    background: `linear-gradient(${color.ground} 20%, ${color.skyMid} 55%, ${color.skyLow} 80%)`,
    overflowX: "clip",
  }),
);
export const header = style(
  inRoutes({
    display: "grid",
    gridTemplateColumns: "auto minmax(0, 1fr)",
    alignItems: "center",
    gap: `${space[4]} ${space[5]}`,
    padding: `${space[4]} ${pagePadding} 0`,
    // The title moves below the logo if its text is too large.
    "@media": { [media.phone]: { display: "flex", flexWrap: "wrap", rowGap: space[2] } },
  }),
);
/** On a phone, the padding of the five links, which fit on one line of 320 px. */
const linkPadding = `clamp(${space[1]}, 5vw - 11px, ${space[3]})`;
export const nav = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    justifyContent: "flex-end",
    gap: space[1],
    // On a phone, below the title, with the first and the last link at the page's margins.
    "@media": {
      [media.phone]: {
        order: 1,
        flexBasis: `calc(100% + 2 * ${linkPadding})`,
        justifyContent: "space-between",
        columnGap: 0,
        margin: `0 calc(-1 * ${linkPadding})`,
      },
    },
  }),
);
globalStyle(`${nav} > a`, inRoutes({ "@media": { [media.phone]: { paddingInline: linkPadding } } }));
export const headerEnd = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "flex-end",
    gap: `${space[2]} ${space[4]}`,
    minWidth: 0,
    "@media": { [media.phone]: { order: 2, flexBasis: "100%", justifyContent: "flex-start" } },
  }),
);
export const title = style(inRoutes({ font: `400 ${fontSize.heading}/1.2 ${fontFamily.display}`, color: color.muted }));
/** The price and, on the right, the links that change the chart below: beside the last line if there is room. */
export const aboveChart = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "flex-end",
    gap: `${space[3]} ${space[8]}`,
    // The label of the chart's top line needs the room below, even with large text.
    padding: `clamp(16px, 3.5vh, 56px) ${pagePadding} max(clamp(12px, 2vh, 32px), 2rem - 8px)`,
  }),
);
export const currentPrice = style(inRoutes({ display: "contents" }));
export const mobPrice = style(inRoutes({ flexGrow: 1 }));
export const range = style(inRoutes({ marginLeft: "auto", minWidth: 0 }));
export const priceLabel = style(inRoutes({ fontSize: fontSize.lede, color: color.muted }));
export const price = style(
  inRoutes({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "baseline",
    gap: `0 ${space[4]}`,
    lineHeight: 0.95,
    fontWeight: fontWeight.strong,
    letterSpacing: "-.035em",
    // Never wider than a phone, however large its text is.
    fontSize: "clamp(min(4.25rem, 17.5vw), 13.5vw, 15rem)",
    // Browsers put a background behind the text then, which would cover the line above.
    "@media": { [media.forcedColors]: { lineHeight: "normal" } },
  }),
);
/** Not larger than a price. */
export const noPrice = style(
  inRoutes({ fontSize: "clamp(2rem, 5vw, 4rem)", lineHeight: 1.1, letterSpacing: "-.02em", color: color.muted }),
);
export const unit = style(
  inRoutes({
    fontSize: "clamp(1.375rem, 3vw, 3rem)",
    fontWeight: fontWeight.medium,
    letterSpacing: "-.01em",
    color: color.muted,
  }),
);
export const inversePrice = style(inRoutes({ display: "grid", gap: space[1], paddingBottom: space[2] }));
export const inverseAmount = style(
  inRoutes({
    fontSize: "clamp(1.375rem, 2.6vw, 2.75rem)",
    lineHeight: 1.15,
    fontWeight: fontWeight.medium,
    letterSpacing: "-.02em",
  }),
);
export const aside = style(inRoutes({ fontSize: "clamp(0.9375rem, 1.2vw, 1.25rem)", color: color.muted }));
export const message = style(
  inRoutes({ flex: 1, display: "grid", placeContent: "center", gap: space[4], padding: pagePadding }),
);
export const details = style(
  inRoutes({
    display: "grid",
    gap: space[5],
    padding: `${space[5]} ${pagePadding} ${space[5]}`,
    background: color.hillNear,
    color: color.ink,
  }),
);
export const terms = style(
  inRoutes({
    display: "grid",
    gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 200px), 1fr))",
    gap: `${space[4]} ${space[6]}`,
    "@media": { [media.phone]: { gridTemplateColumns: "1fr", gap: space[3] } },
  }),
);
export const termName = style(inRoutes({ fontSize: fontSize.small }));
export const termValue = style(
  inRoutes({
    fontSize: "clamp(1rem, 1.35vw, 1.5rem)",
    lineHeight: 1.3,
    fontWeight: fontWeight.strong,
    textWrap: "balance",
  }),
);
export const footer = style(
  inRoutes({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: `${space[2]} ${space[6]}` }),
);
export const chain = style(inRoutes({ display: "inline-flex", alignItems: "center", gap: space[2] }));
export const footerLinks = style(inRoutes({ display: "inline-flex", gap: space[6] }));
/** On the ground, the accent has too little contrast for the focus. */
export const footerLink = style(
  inRoutes({ color: "inherit", fontWeight: fontWeight.strong, ":focus-visible": { outlineColor: color.ink } }),
);
export const tableBox = style(
  inRoutes({
    maxWidth: "560px",
    padding: `${space[2]} ${space[4]}`,
    borderRadius: radius.note,
    background: color.raised,
    color: color.ink,
  }),
);
