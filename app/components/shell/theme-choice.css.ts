import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

export const group = style(
  inComponents({
    display: "grid",
    gridTemplateColumns: "repeat(3, 1fr)",
    gap: "2px",
    padding: "4px",
    background: color.sunken,
    borderRadius: radius.note,
  }),
);
export const choice = style(
  inComponents({
    minHeight: "36px",
    padding: `0 ${space[2]}`,
    borderRadius: radius.small,
    color: color.muted,
    fontSize: fontSize.small,
    fontWeight: fontWeight.medium,
    selectors: {
      "&[aria-pressed=true]": { background: color.raised, color: color.ink, boxShadow: `0 0 0 1px ${color.edge}` },
    },
    "@media": {
      [media.forcedColors]: {
        selectors: { "&[aria-pressed=true]:not(:focus-visible)": { outline: "2px solid Highlight" } },
      },
    },
  }),
);
