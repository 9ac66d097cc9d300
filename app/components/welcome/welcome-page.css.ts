import { globalStyle, style } from "@vanilla-extract/css";
import { hollow } from "~/styles/hollow";
import { hovered } from "~/styles/hovered";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

export const page = style(
  inComponents({
    flex: 1,
    display: "flex",
    flexDirection: "column",
    justifyContent: "center",
    gap: space[4],
    width: "100%",
    maxWidth: 1000,
    margin: "0 auto",
    "@media": { [media.wide]: { marginBottom: "-84px" } },
  }),
);
export const progress = style(inComponents({ display: "flex", alignItems: "center", gap: space[4] }));
export const bars = style(inComponents({ flex: 1, display: "flex", gap: space[1] }));
export const barItem = style(inComponents({ flex: 1 }));
/** A 24 px target around a bar of 5 px. */
export const bar = style(
  inComponents({
    display: "block",
    padding: "10px 0",
    borderRadius: radius.small,
    "::before": {
      content: '""',
      display: "block",
      height: "5px",
      borderRadius: radius.full,
      background: color.outline,
    },
    selectors: {
      "&[data-state=done]::before": { background: color.accent, opacity: 0.55 },
      "&[aria-current]::before": { background: color.accent },
    },
    "@media": {
      ...hovered({ background: color.accentStrong }, "&:hover::before"),
      [media.forcedColors]: {
        "::before": { forcedColorAdjust: "none", ...hollow },
        selectors: {
          "&[data-state=done]::before": { background: "CanvasText", opacity: 1 },
          "&[aria-current]::before": { background: "Highlight" },
        },
      },
    },
  }),
);
export const skip = style(
  inComponents({
    display: "inline-flex",
    alignItems: "center",
    minHeight: "32px",
    fontSize: fontSize.small,
    fontWeight: fontWeight.strong,
    color: color.muted,
  }),
);
export const card = style(
  inComponents({
    display: "grid",
    gap: space[5],
    "@media": {
      [media.wide]: { gridTemplateColumns: "minmax(0, 1.05fr) minmax(0, 1fr)", gap: space[8], minHeight: "500px" },
    },
  }),
);
/** On a phone the illustration comes first. */
export const illustration = style(
  inComponents({
    alignSelf: "center",
    "@media": { [media.wide]: { order: 2 }, [media.phone]: { maxWidth: 420, width: "100%" } },
  }),
);
/** Keeps the Next button at the same height on every step. */
export const content = style(
  inComponents({ display: "grid", gap: space[4], gridTemplateRows: "auto auto 1fr auto", alignContent: "start" }),
);
export const eyebrow = style(
  inComponents({ fontSize: fontSize.small, fontWeight: fontWeight.strong, color: color.accent }),
);
export const prose = style(inComponents({ display: "grid", gap: space[3], alignContent: "start" }));
globalStyle(`${prose} ul, ${prose} ol`, inComponents({ display: "grid", gap: space[2], paddingLeft: space[5] }));
globalStyle(`${prose} ul`, inComponents({ listStyle: "disc" }));
globalStyle(`${prose} ol`, inComponents({ listStyle: "decimal" }));
globalStyle(`${prose} li::marker`, inComponents({ color: color.accent, fontWeight: fontWeight.strong }));
export const pager = style(
  inComponents({ display: "flex", flexWrap: "wrap", gap: space[3], justifyContent: "space-between" }),
);
/** The two longer help pages: one column, with illustrations beside their step. */
export const steps = style(inComponents({ display: "grid", gap: space[6] }));
export const step = style(
  inComponents({
    display: "grid",
    gap: space[4],
    alignItems: "center",
    "@media": { "(min-width: 600px)": { gridTemplateColumns: "minmax(0, 1fr) 250px", gap: space[6] } },
  }),
);
export const stepText = style(inComponents({ display: "grid", gap: space[2], alignContent: "start" }));
export const helpPage = style(
  inComponents({ width: "100%", maxWidth: 780, margin: "0 auto", display: "grid", gap: space[5] }),
);
