import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { fontFamily, fontSize, space } from "~/styles/tokens";

export const grouped = style(
  inComponents({ fontFamily: fontFamily.code, fontSize: fontSize.small, lineHeight: 1.6, userSelect: "all" }),
);
/** The gap is drawn, not written. */
export const group = style(inComponents({ display: "inline-block", marginRight: ".5em" }));

/** A choice and beside it the way to another one. */
export const pick = style(
  inComponents({ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", gap: space[2], alignItems: "end" }),
);
/** As high as the field beside it. */
export const add = style(inComponents({ minHeight: "52px", paddingInline: space[4], fontSize: fontSize.body }));
export const empty = style(
  inComponents({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: `${space[1]} ${space[3]}`,
    fontSize: fontSize.small,
  }),
);
