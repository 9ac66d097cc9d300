import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, fontWeight, radius, space } from "~/styles/tokens";

export const field = style(inUi({ display: "flex", flexDirection: "column", gap: "6px", minWidth: 0 }));
export const box = style(
  inUi({
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    justifyContent: "space-between",
    gap: `${space[1]} ${space[3]}`,
    padding: `${space[2]} ${space[3]} ${space[2]} ${space[4]}`,
    minHeight: "60px",
    background: color.sunken,
    borderRadius: radius.note,
  }),
);
/** One click selects the whole value, even without JavaScript. */
const value = { userSelect: "all", minWidth: 0 } as const;
/** Takes the room that the button leaves. */
const lines = { ...value, flex: "1 1 0" } as const;
/** An amount stays on one line: the button moves below it first. */
export const text = style(
  inUi({ ...value, fontSize: fontSize.heading, fontWeight: fontWeight.medium, lineHeight: 1.2 }),
);
/** For a value of several lines, such as a URL. */
export const longText = style(inUi({ ...lines, lineHeight: 1.5, overflowWrap: "anywhere" }));
export const code = style(
  inUi({
    ...lines,
    fontFamily: fontFamily.code,
    fontSize: "0.9375rem",
    fontWeight: fontWeight.strong,
    lineHeight: 1.6,
    textWrap: "balance",
  }),
);
/** The gap between groups is a margin, so copied text has no spaces. */
export const group = style(inUi({ display: "inline-block", marginRight: ".55em" }));
/** Reserves the button's space, so that nothing moves when it appears. */
export const hiddenUntilHydrated = style(inUi({ visibility: "hidden" }));
