import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, space } from "~/styles/tokens";

/** A field with its button beside it, at the height of the field itself. */
export const search = style(
  inComponents({
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) auto",
    alignItems: "end",
    gap: space[3],
    maxWidth: 560,
  }),
);
/** As tall as the field beside it. */
export const submit = style(inComponents({ minHeight: "52px" }));
/** Two columns of about the same height. In a grid, a short topic would leave a gap beside a long one. */
export const topics = style(inComponents({ "@media": { "(min-width: 700px)": { columns: 2, columnGap: space[8] } } }));
export const topic = style(
  inComponents({
    display: "grid",
    gap: space[2],
    breakInside: "avoid",
    selectors: { "& + &": { marginTop: space[6] } },
  }),
);
export const list = style(inComponents({ display: "grid", gap: space[1] }));
export const question = style(
  inComponents({
    display: "inline-block",
    padding: `${space[1]} 0`,
    minHeight: "32px",
    fontWeight: fontWeight.medium,
  }),
);
export const summary = style(inComponents({ color: color.muted, maxWidth: "68ch", marginBottom: space[3] }));
export const contact = style(
  inComponents({ borderTop: `1px solid ${color.line}`, paddingTop: space[4], color: color.muted }),
);
export const back = style(inComponents({ fontSize: fontSize.small, fontWeight: fontWeight.strong }));
export const lede = style(inComponents({ fontSize: fontSize.lede, color: color.muted, maxWidth: "58ch" }));
