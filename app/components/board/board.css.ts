import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

/** The margin of a screen that may hang on a wall. */
export const boardSide = "clamp(16px, 4vw, 72px)";

/** Sky, ridge, ground: the board is the land itself. */
export const board = style(
  inComponents({
    display: "flex",
    flexDirection: "column",
    minHeight: "100vh",
    background: `linear-gradient(${color.ground} 20%, ${color.skyMid} 55%, ${color.skyLow} 80%)`,
    overflowX: "clip",
  }),
);
export const top = style(
  inComponents({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `${space[2]} ${space[5]}`,
    padding: `${space[4]} ${boardSide} 0`,
  }),
);
export const topEnd = style(
  inComponents({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `${space[2]} ${space[4]}`,
    minWidth: 0,
    marginLeft: "auto",
    "@media": { [media.phone]: { marginLeft: 0 } },
  }),
);
export const title = style(
  inComponents({ font: `400 ${fontSize.heading}/1.2 ${fontFamily.display}`, color: color.muted }),
);
export const sky = style(
  inComponents({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "flex-end",
    justifyContent: "space-between",
    gap: `${space[3]} ${space[8]}`,
    padding: `clamp(16px, 3.5vh, 56px) ${boardSide} clamp(12px, 2vh, 32px)`,
  }),
);
export const priceTerm = style(inComponents({ fontSize: fontSize.lede, color: color.muted }));
export const price = style(
  inComponents({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "baseline",
    gap: `0 ${space[4]}`,
    lineHeight: 0.95,
    fontWeight: fontWeight.strong,
    letterSpacing: "-.035em",
    fontSize: "clamp(4.25rem, 13.5vw, 15rem)",
  }),
);
export const unit = style(
  inComponents({
    fontSize: "clamp(1.375rem, 3vw, 3rem)",
    fontWeight: fontWeight.medium,
    letterSpacing: "-.01em",
    color: color.muted,
  }),
);
export const otherWay = style(inComponents({ display: "grid", gap: space[1], paddingBottom: space[2] }));
export const second = style(
  inComponents({
    fontSize: "clamp(1.375rem, 2.6vw, 2.75rem)",
    lineHeight: 1.15,
    fontWeight: fontWeight.medium,
    letterSpacing: "-.02em",
  }),
);
export const aside = style(inComponents({ fontSize: "clamp(0.9375rem, 1.2vw, 1.25rem)", color: color.muted }));
export const silent = style(
  inComponents({ flex: 1, display: "grid", placeContent: "center", gap: space[4], padding: boardSide }),
);
export const ground = style(
  inComponents({
    display: "grid",
    gap: space[5],
    padding: `${space[5]} ${boardSide} ${space[5]}`,
    background: color.hillNear,
    color: color.ink,
  }),
);
export const facts = style(
  inComponents({
    display: "grid",
    gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 200px), 1fr))",
    gap: `${space[4]} ${space[6]}`,
    "@media": { [media.phone]: { gridTemplateColumns: "1fr", gap: space[3] } },
  }),
);
export const factName = style(inComponents({ fontSize: fontSize.small }));
export const factValue = style(
  inComponents({ fontSize: "clamp(1rem, 1.35vw, 1.5rem)", lineHeight: 1.3, fontWeight: fontWeight.strong }),
);
export const foot = style(
  inComponents({ display: "flex", flexWrap: "wrap", alignItems: "center", gap: `${space[2]} ${space[6]}` }),
);
export const chain = style(inComponents({ display: "inline-flex", alignItems: "center", gap: space[2] }));
export const footLinks = style(inComponents({ display: "inline-flex", gap: space[6] }));
export const footLink = style(inComponents({ color: "inherit", fontWeight: fontWeight.strong }));
export const tableBox = style(
  inComponents({
    maxWidth: "560px",
    padding: `${space[2]} ${space[4]}`,
    borderRadius: radius.note,
    background: color.raised,
    color: color.ink,
  }),
);
