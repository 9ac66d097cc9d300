import { style } from "@vanilla-extract/css";
import { focusRing } from "~/styles/focus-ring";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, motion, radius, space } from "~/styles/tokens";

/** A large field for one side of a swap. */
export const field = style(
  inUi({
    background: color.sunken,
    border: `1px solid ${color.line}`,
    borderRadius: radius.field,
    padding: `${space[4]} ${space[5]}`,
    transition: `background ${motion.quick}, border-color ${motion.quick}`,
    selectors: {
      "&:focus-within": focusRing,
    },
  }),
);
/** Input fields have a visible edge (3:1) even without focus. */
export const editable = style(
  inUi({
    borderColor: color.edge,
    selectors: {
      "&:has([aria-invalid=true])": { borderColor: color.danger },
    },
  }),
);
export const line = style(inUi({ display: "flex", alignItems: "center", gap: space[3], marginTop: space[1] }));
export const input = style(
  inUi({
    flex: 1,
    width: "100%",
    minWidth: 0,
    border: 0,
    background: "none",
    fontWeight: 500,
    lineHeight: "2.7rem",
    letterSpacing: "-.02em",
    textOverflow: "ellipsis",
    ":focus-visible": { outline: "none" },
    "::placeholder": { color: color.muted, opacity: 1 },
  }),
);
const small = { fontSize: fontSize.small, color: color.muted } as const;
export const top = style(
  inUi({ ...small, display: "flex", alignItems: "baseline", justifyContent: "space-between", gap: space[3] }),
);
export const foot = style(
  inUi({
    ...small,
    // Reserves a line, so that content below doesn't move while the hint is missing, for example while an amount is
    // typed.
    minHeight: "1lh",
    marginTop: space[1],
  }),
);
export const error = style(inUi({ marginTop: space[1] }));
export const coin = style(
  inUi({
    flex: "none",
    display: "inline-flex",
    alignItems: "center",
    gap: space[2],
    padding: `6px ${space[3]} 6px 6px`,
    background: color.raised,
    border: `1px solid ${color.line}`,
    borderRadius: radius.full,
    fontWeight: 650,
    whiteSpace: "nowrap",
    selectors: { [`${field}:focus-within &`]: { background: color.sunken } },
  }),
);
