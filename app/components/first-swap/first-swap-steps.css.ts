import { style } from "@vanilla-extract/css";
import { hollow } from "~/styles/hollow";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, radius, space } from "~/styles/tokens";

export const progress = style(inComponents({ display: "grid", gap: space[2], width: "100%" }));
export const now = style(inComponents({ fontSize: fontSize.small, color: color.muted }));
export const nowName = style(inComponents({ fontWeight: fontWeight.strong, color: color.ink }));
export const bars = style(inComponents({ display: "flex", gap: space[1] }));
export const bar = style(
  inComponents({
    flex: 1,
    height: "5px",
    borderRadius: radius.full,
    background: color.outline,
    selectors: {
      "&[data-state=done]": { background: color.accent, opacity: 0.55 },
      "&[aria-current]": { background: color.accent },
    },
    "@media": {
      [media.forcedColors]: {
        forcedColorAdjust: "none",
        ...hollow,
        selectors: {
          "&[data-state=done]": { background: "CanvasText", opacity: 1 },
          "&[aria-current]": { background: "Highlight" },
        },
      },
    },
  }),
);
