import { globalStyle, style } from "@vanilla-extract/css";
import { focusRing } from "~/styles/focus-ring";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, fontWeight, motion, radius, space } from "~/styles/tokens";

export const field = style(inUi({ display: "flex", flexDirection: "column", gap: "6px", minWidth: 0 }));
export const label = style(
  inUi({ fontSize: fontSize.small, fontWeight: fontWeight.medium, color: color.muted, textWrap: "balance" }),
);
export const hint = style(inUi({ fontSize: fontSize.small, color: color.muted }));
export const error = style(inUi({ fontSize: fontSize.small, fontWeight: fontWeight.medium, color: color.danger }));

/** The box around an input with its suffix. It shows the focus ring. */
export const box = style(
  inUi({
    display: "flex",
    alignItems: "center",
    gap: space[2],
    minHeight: "52px",
    padding: `0 ${space[4]}`,
    background: color.sunken,
    border: `1px solid ${color.edge}`,
    borderRadius: radius.note,
    transition: `background ${motion.quick}, border-color ${motion.quick}`,
    selectors: {
      // Filled in by the browser. Its own background would not reach the edge of the box.
      "&:has(:autofill)": { background: color.accentSoft },
      "&:focus-within": focusRing,
      "&:has([aria-invalid=true])": { borderColor: color.danger },
      "&:has(:disabled)": { opacity: 0.6 },
    },
  }),
);
/** A page can't change the browser's background, but it can clip it to the text, which covers it. */
globalStyle(`${box} > :autofill`, inUi({ WebkitBackgroundClip: "text" }));
export const input = style(
  inUi({
    flex: 1,
    minWidth: 0,
    width: "100%",
    minHeight: "50px",
    border: 0,
    background: "none",
    textOverflow: "ellipsis",
    ":focus-visible": { outline: "none" },
    "::placeholder": { color: color.muted, opacity: 1 },
  }),
);
export const area = style(
  inUi({
    flex: 1,
    minWidth: 0,
    width: "100%",
    padding: `${space[3]} 0`,
    border: 0,
    background: "none",
    resize: "none",
    overflowWrap: "anywhere",
    lineHeight: 1.6,
    ":focus-visible": { outline: "none" },
    "::placeholder": { color: color.muted, opacity: 1 },
    "@supports": { "(field-sizing: content)": { fieldSizing: "content" } },
  }),
);
/** The width of the chevron, with the space around it. */
const chevronRoom = `calc(1.25em + ${space[2]} + ${space[4]})`;
/** Fills its box, even under the chevron, so that a click anywhere in the box opens it. */
export const select = style([
  input,
  inUi({
    appearance: "none",
    padding: `0 ${chevronRoom} 0 ${space[4]}`,
    margin: `0 calc(-1 * ${chevronRoom}) 0 -${space[4]}`,
  }),
]);
globalStyle(`${select} + svg`, inUi({ pointerEvents: "none" }));
globalStyle(`${select} option`, inUi({ background: color.raised, color: color.ink }));
export const affix = style(inUi({ flex: "none", color: color.muted, fontWeight: fontWeight.medium }));
export const code = style(inUi({ fontFamily: fontFamily.code, fontSize: fontSize.small }));
