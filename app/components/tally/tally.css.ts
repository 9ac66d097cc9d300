import { globalStyle, style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";

export const totals = style(
  inComponents({
    display: "grid",
    gap: space[6],
    "@media": { "(min-width: 700px)": { gridTemplateColumns: "1fr 1fr" } },
  }),
);
export const assetTotals = style(
  inComponents({
    display: "grid",
    gap: space[3],
    alignContent: "start",
    selectors: {
      "& + &": {
        borderTop: `1px solid ${color.line}`,
        paddingTop: space[5],
        "@media": {
          "(min-width: 700px)": { borderTop: 0, borderLeft: `1px solid ${color.line}`, padding: `0 0 0 ${space[6]}` },
        },
      },
    },
  }),
);
export const coinName = style(
  inComponents({ display: "flex", alignItems: "center", gap: space[2], fontWeight: fontWeight.strong }),
);
export const sums = style(inComponents({ display: "grid", gridTemplateColumns: "1fr 1fr", gap: space[4] }));
export const sum = style(
  inComponents({
    fontSize: "clamp(1.25rem, 1rem + 1vw, 1.75rem)",
    lineHeight: 1.2,
    letterSpacing: "-.02em",
  }),
);
/** The digits that are exact and seldom read. */
export const dust = style(inComponents({ fontSize: fontSize.small, letterSpacing: 0, color: color.muted }));
export const sumName = style(inComponents({ fontSize: fontSize.small, color: color.muted }));
export const head = style(
  inComponents({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: space[3],
  }),
);
export const openLink = style(
  inComponents({ display: "inline-flex", alignItems: "center", minHeight: "32px", fontWeight: fontWeight.strong }),
);
export const two = style(
  inComponents({
    display: "grid",
    gap: space[5],
    alignItems: "start",
    "@media": { [media.wide]: { gridTemplateColumns: "1fr 1fr", gap: space[6], marginBottom: "-84px" } },
  }),
);
export const rows = style(inComponents({ display: "grid" }));
export const row = style(
  inComponents({
    display: "grid",
    gap: space[1],
    padding: `${space[3]} 0`,
    borderTop: `1px solid ${color.line}`,
    selectors: { "&:first-child": { borderTop: 0, paddingTop: 0 } },
  }),
);
export const name = style(inComponents({ fontWeight: fontWeight.strong, overflowWrap: "anywhere" }));
export const facts = style(inComponents({ fontSize: fontSize.small, color: color.muted }));
export const changes = style(inComponents({ fontSize: fontSize.small }));
globalStyle(`${changes} summary`, inComponents({ minHeight: "32px", color: color.accent }));
