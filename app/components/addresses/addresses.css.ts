import { globalStyle, style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { fontFamily, fontSize, media, radius, space } from "~/styles/tokens";

export const grouped = style(
  inComponents({ fontFamily: fontFamily.code, fontSize: fontSize.small, lineHeight: 1.6, userSelect: "all" }),
);
/** The gap between groups is a margin, so copied text has no spaces. */
export const group = style(inComponents({ display: "inline-block", marginRight: ".5em" }));

/** A select and, beside it, a link to add another option. */
export const selectWithAdd = style(
  inComponents({ display: "grid", gridTemplateColumns: "minmax(0, 1fr) auto", gap: space[2], alignItems: "end" }),
);
/** On a phone the select takes the full width, so that the address stays readable, and the link sits by the label. */
globalStyle(`${selectWithAdd} > :first-child`, inComponents({ "@media": { [media.phone]: { display: "contents" } } }));
globalStyle(
  `${selectWithAdd} > :first-child > :last-child`,
  inComponents({ "@media": { [media.phone]: { gridColumn: "1 / -1", gridRow: 2 } } }),
);
/** As tall as the field beside it. */
export const add = style(
  inComponents({
    minHeight: "52px",
    padding: `${space[1]} ${space[4]}`,
    borderRadius: radius.note,
    fontSize: fontSize.body,
    "@media": {
      [media.phone]: {
        minHeight: "32px",
        paddingInline: space[3],
        borderRadius: radius.small,
        fontSize: fontSize.small,
      },
    },
  }),
);
