import { globalStyle } from "@vanilla-extract/css";
import { coveredByBar } from "~/styles/covered.css";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";
import { cardPadding } from "~/ui/card.css";

/*
 * The last row of a card, with the card's button and the amount to receive. While the end of the card is below the fold,
 * it sticks to the bottom of the window. These are style rules, not classes: each screen makes its
 * own classes, because a shared style sheet would be one more file to load.
 */

/**
 * Matches windows that are tall enough for the bar to cover only a small part of them. It does not match a phone in
 * landscape, a zoomed-in page or large text. 480 px at the usual text size.
 */
const high = "screen and (min-height: 30em)";

/** To the card's edge. */
export const outwards = `calc(-1 * ${cardPadding})`;

/** Clips the bar to the card's rounded corners. Unlike `hidden`, `clip` lets the bar stick to the window. */
export const cardWithBar = inRoutes({ overflow: "clip" });

export const submitBar = inRoutes({
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: `${space[2]} ${space[3]}`,
  margin: `0 ${outwards} ${outwards}`,
  padding: `${space[3]} ${cardPadding}`,
  borderTop: `1px solid ${color.line}`,
  background: color.raised,
  "@media": {
    [high]: {
      position: "sticky",
      bottom: 0,
      zIndex: 2,
    },
  },
});

/**
 * Keeps messages, and focused fields when the browser scrolls to them, above a bar with the given part. `height` is in
 * rem, because the bar grows with the text.
 */
export function keepClear(part: string, height: string): void {
  globalStyle(`:root:has(${part})`, inRoutes({ "@media": { [high]: { vars: { [coveredByBar]: height } } } }));
}

/** Hidden in the narrowest windows, where it would wrap to a second row. */
export const receive = inRoutes({
  display: "grid",
  fontSize: fontSize.small,
  color: color.muted,
  "@media": { "(max-width: 359px)": { display: "none" } },
});
export const receivedAmount = inRoutes({
  fontSize: fontSize.lede,
  lineHeight: 1.3,
  fontWeight: fontWeight.strong,
  color: color.ink,
  "@media": { [media.phone]: { fontSize: fontSize.body } },
});
/** Takes the rest of the row. The small padding leaves room for a second line of text without growing the bar. */
export const submit = inRoutes({ flex: "1 1 124px", padding: `${space[1]} ${space[3]}` });
