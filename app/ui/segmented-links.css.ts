import { style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

export const group = style(
  inUi({
    display: "inline-flex",
    gap: "2px",
    padding: "3px",
    border: `1px solid ${color.line}`,
    background: color.sunken,
    borderRadius: radius.note,
    maxWidth: "100%",
    overflowX: "auto",
  }),
);
export const link = style(
  inUi({
    display: "inline-flex",
    alignItems: "center",
    minHeight: "36px",
    padding: `0 clamp(${space[2]}, 3.4vw, ${space[4]})`,
    borderRadius: radius.small,
    color: color.muted,
    fontSize: fontSize.small,
    fontWeight: fontWeight.medium,
    textDecoration: "none",
    whiteSpace: "nowrap",
    // Inside the link, because the group cuts off what is outside.
    ":focus-visible": { outlineOffset: "-3px" },
    selectors: {
      "&[aria-current]": { background: color.raised, color: color.ink, boxShadow: `0 0 0 1px ${color.line}` },
    },
    "@media": {
      ...hovered({ color: color.ink }),
      [media.forcedColors]: {
        selectors: { "&[aria-current]:not(:focus-visible)": { outline: "2px solid Highlight" } },
      },
    },
  }),
);
