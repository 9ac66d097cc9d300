import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, fontWeight, radius, space } from "~/styles/tokens";

export const field = style(inUi({ display: "flex", flexDirection: "column", gap: "6px", minWidth: 0 }));
export const box = style(
  inUi({
    display: "flex",
    alignItems: "center",
    justifyContent: "space-between",
    gap: space[3],
    padding: `${space[2]} ${space[3]} ${space[2]} ${space[4]}`,
    minHeight: "60px",
    background: color.sunken,
    borderRadius: radius.note,
  }),
);
/** One press or a double click takes the whole of it, also where no script runs. */
const value = { userSelect: "all", minWidth: 0 } as const;
export const words = style(
  inUi({ ...value, fontSize: fontSize.heading, fontWeight: fontWeight.medium, lineHeight: 1.2 }),
);
export const code = style(
  inUi({
    ...value,
    fontFamily: fontFamily.code,
    fontSize: "0.9375rem",
    fontWeight: fontWeight.strong,
    lineHeight: 1.6,
    textWrap: "balance",
  }),
);
/** The gap between groups is drawn, not written: what is copied has no spaces in it. */
export const group = style(inUi({ display: "inline-block", marginRight: ".55em" }));
/** Keeps its place until scripts run, so nothing moves when it comes. */
export const notYet = style(inUi({ visibility: "hidden" }));
