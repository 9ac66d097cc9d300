import { color } from "./theme.css";

/** The style of the box around a field that has the focus. */
export const focusRing = {
  background: color.raised,
  borderColor: color.accent,
  boxShadow: `0 0 0 1px ${color.accent}`,
  // Forced-colours mode removes shadows and shows every outline.
  outline: "2px solid transparent",
};
