import { color } from "./theme.css";

/** How the box around a field shows that the field has the focus. */
export const focusRing = {
  background: color.raised,
  borderColor: color.accent,
  boxShadow: `0 0 0 1px ${color.accent}`,
  // Forced-colours mode removes shadows and shows every outline.
  outline: "2px solid transparent",
};
