import { style, styleVariants } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, radius, space } from "~/styles/tokens";

export const note = style(
  inUi({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: `${space[2]} ${space[3]}`,
    padding: `${space[3]} ${space[4]}`,
    borderRadius: radius.note,
    fontSize: fontSize.small,
  }),
);

/**
 * Must not set properties of the note itself, because badges use these classes too, and the order of the two style
 * sheets is not defined. `info` has an edge: in the dark theme, its background hardly differs from what is around it.
 */
export const tones = styleVariants({
  info: inUi({ background: color.sunken, boxShadow: `inset 0 0 0 1px ${color.line}`, color: color.muted }),
  good: inUi({ background: color.goodSoft, color: color.good }),
  waiting: inUi({ background: color.waitingSoft, color: color.waiting }),
  danger: inUi({ background: color.dangerSoft, color: color.danger }),
});

export const emphasis = style(inUi({ fontWeight: fontWeight.medium }));
/** Beside an icon even in the narrowest windows. An action moves below the text first. */
export const text = style(
  inUi({ flex: "1 1 0", minWidth: `min(100% - 20px - ${space[3]}, 24ch)`, textWrap: "pretty" }),
);
export const title = style(inUi({ display: "block", fontWeight: fontWeight.strong, color: color.ink }));
/** Body text below a title uses the text colour; a note without a title keeps its tone's colour. */
export const body = style(inUi({ color: color.ink, fontWeight: fontWeight.regular }));
