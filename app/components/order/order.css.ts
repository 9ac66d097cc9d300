import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, space } from "~/styles/tokens";

export const group = style(inComponents({ display: "grid", gap: space[3] }));
export const payments = style(inComponents({ display: "grid", listStyle: "none", padding: 0 }));
export const payment = style(
  inComponents({
    display: "grid",
    gap: space[1],
    padding: `${space[3]} 0`,
    selectors: { "& + &": { borderTop: `1px solid ${color.line}` } },
    breakInside: "avoid",
  }),
);
export const hash = style(
  inComponents({
    fontFamily: fontFamily.code,
    fontSize: fontSize.small,
    color: color.muted,
    overflowWrap: "anywhere",
    userSelect: "all",
  }),
);

/** A code to scan beside what can be copied; in the hand one below the other. */
export const pay = style(
  inComponents({
    display: "grid",
    gap: space[6],
    alignItems: "start",
    "@media": { "(min-width: 620px)": { gridTemplateColumns: "220px minmax(0, 1fr)" } },
  }),
);
export const scene = style(
  inComponents({
    display: "flex",
    justifyContent: "center",
    padding: `${space[4]} 0 ${space[2]}`,
    "@media": { print: { display: "none" } },
  }),
);
export const head = style(inComponents({ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: space[2] }));
export const byItself = style(inComponents({ marginBottom: space[4] }));
/** Neither buttons nor codes on paper. */
export const onScreen = style(inComponents({ "@media": { print: { display: "none" } } }));
/** On paper this card is the page. */
export const sheet = style(inComponents({ "@media": { print: { gridColumn: "1 / -1" } } }));
export const onPaper = style(
  inComponents({ display: "none", "@media": { print: { display: "grid", gap: space[3] } } }),
);
