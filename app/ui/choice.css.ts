import { style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, motion, radius, space } from "~/styles/tokens";

export const group = style(inUi({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space[2] }));
export const legend = style(
  inUi({ fontSize: fontSize.small, fontWeight: fontWeight.medium, color: color.muted, marginBottom: "6px" }),
);

/** The whole card is a label, so the whole card is clickable. */
export const option = style(
  inUi({
    display: "flex",
    alignItems: "flex-start",
    gap: space[3],
    padding: `${space[3]} ${space[4]}`,
    border: `1px solid ${color.outline}`,
    borderRadius: radius.note,
    cursor: "pointer",
    transition: `background ${motion.quick}, border-color ${motion.quick}`,
    selectors: {
      "[aria-invalid=true] > &": { borderColor: color.danger },
      // Only the tick marks a checked box, because several framed boxes would dominate the page.
      "&:has([type=radio]:checked)": {
        borderColor: color.accent,
        background: color.accentSoft,
        boxShadow: `0 0 0 1px ${color.accent}`,
      },
      "&:has(:focus-visible)": { outline: `3px solid ${color.accent}`, outlineOffset: "2px" },
    },
    "@media": hovered({ background: color.sunken }),
  }),
);
/** A custom checkbox or radio button, visible in both themes. In forced-colours mode it is the native one. */
export const mark = style(
  inUi({
    flex: "none",
    appearance: "none",
    display: "grid",
    placeItems: "center",
    width: 20,
    height: 20,
    marginTop: 2,
    border: `2px solid ${color.edge}`,
    borderRadius: "6px",
    background: color.raised,
    // The tick is a background, which browsers usually do not print.
    printColorAdjust: "exact",
    transition: `background ${motion.quick}, border-color ${motion.quick}`,
    selectors: {
      "&[type=radio]": { borderRadius: "50%" },
      "&:checked": { background: color.accent, borderColor: color.accent },
      "&:checked::before": {
        content: '""',
        width: 12,
        height: 12,
        background: color.onAccent,
        clipPath: "polygon(14% 44%, 0 60%, 42% 96%, 100% 20%, 84% 6%, 40% 64%)",
      },
      "&[type=radio]:checked::before": { width: 8, height: 8, borderRadius: "50%", clipPath: "none" },
      "&[aria-invalid=true]": { borderColor: color.danger },
    },
    "@media": { [media.forcedColors]: { appearance: "auto" } },
  }),
);
export const text = style(inUi({ flex: 1, minWidth: 0 }));
export const name = style(inUi({ display: "block", fontWeight: fontWeight.strong, overflowWrap: "anywhere" }));
export const detail = style(
  inUi({ display: "block", fontSize: fontSize.small, color: color.muted, overflowWrap: "anywhere" }),
);
