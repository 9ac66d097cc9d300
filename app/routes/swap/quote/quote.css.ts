import { style } from "@vanilla-extract/css";
import * as rules from "~/components/price/submit-bar";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, radius, space } from "~/styles/tokens";
import { cardPadding } from "~/ui/card.css";

const narrow = "(max-width: 619px)";

/** Stays in view beside a longer card, if the window is tall enough for it. */
export const aside = style(
  inRoutes({
    "@media": {
      print: { display: "none" },
      [`${media.wide} and (min-height: 860px)`]: { position: "sticky", top: space[6], alignSelf: "start" },
    },
  }),
);

/** Two legs with an arrow between them: side by side if there is room, otherwise one above the other. */
export const exchange = style(
  inRoutes({
    display: "grid",
    gap: space[3],
    alignItems: "center",
    justifyItems: "stretch",
    "@media": { "(min-width: 620px)": { gridTemplateColumns: "minmax(0, 1fr) auto minmax(0, 1fr)" } },
  }),
);
export const leg = style(
  inRoutes({
    display: "grid",
    gap: space[1],
    padding: `${space[4]} ${space[5]}`,
    background: color.sunken,
    border: `1px solid ${color.line}`,
    borderRadius: radius.field,
    "@media": { [narrow]: { gridTemplateColumns: "minmax(0, 1fr) auto", alignItems: "center" } },
  }),
);
export const legName = style(inRoutes({ fontSize: fontSize.small, color: color.muted }));
/** The same line height for every font size. */
export const amount = style(
  inRoutes({
    fontWeight: fontWeight.medium,
    lineHeight: "2.7rem",
    letterSpacing: "-.02em",
    overflowWrap: "anywhere",
    "@media": { [narrow]: { gridColumn: "1 / -1" } },
  }),
);
export const asset = style(
  inRoutes({
    display: "inline-flex",
    alignItems: "center",
    gap: space[2],
    fontWeight: fontWeight.strong,
    "@media": { [narrow]: { gridColumn: 2, gridRow: 1 } },
  }),
);
/** Above the quote of a new customer. */
export const steps = style(inRoutes({ marginBottom: space[5] }));
/** The approximate value, below the amount and its coin. */
export const worth = style(inRoutes({ "@media": { [narrow]: { gridColumn: "1 / -1" } } }));
export const arrow = style(
  inRoutes({
    display: "grid",
    placeItems: "center",
    color: color.accent,
    "@media": { "(min-width: 620px)": { transform: "rotate(-90deg)" } },
  }),
);

export const card = style(rules.cardWithBar);
export const bar = style(rules.submitBar);
/** The bar's first row: how long the price is valid. */
export const time = style(
  inRoutes({
    display: "flex",
    flex: "1 0 100%",
    alignItems: "center",
    gap: space[2],
    margin: `-${space[3]} ${rules.outwards} ${space[1]}`,
    padding: `6px ${cardPadding}`,
    fontSize: fontSize.small,
    fontWeight: fontWeight.medium,
    background: color.goodSoft,
    color: color.good,
  }),
);
export const shortTime = style(inRoutes({ background: color.waitingSoft, color: color.waiting }));
/** Why the price was not locked. */
export const error = style(inRoutes({ flex: "1 0 100%" }));
export const receive = style(rules.receive);
export const received = style(rules.receivedAmount);
export const submit = style(rules.submit);
rules.keepClear(bar, "9.75rem");
rules.keepClear(error, "15rem");
