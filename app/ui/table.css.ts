import { globalStyle, style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";

const phone = (rule: object) => ({ "@media": { [media.phone]: rule } });

/** For screen readers only. */
const hidden = { position: "absolute", width: 1, height: 1, overflow: "hidden", clipPath: "inset(50%)" };

export const table = style(inUi({ textAlign: "left", ...phone({ display: "block" }) }));
export const body = style(inUi(phone({ display: "block" })));
export const head = style(
  inUi({
    fontSize: fontSize.small,
    color: color.muted,
    ...phone(hidden),
  }),
);
const cellBase = {
  padding: `${space[3]} ${space[4]} ${space[3]} 0`,
  verticalAlign: "baseline",
  fontWeight: fontWeight.regular,
  ...phone({
    display: "flex",
    justifyContent: "space-between",
    alignItems: "baseline",
    gap: space[4],
    padding: `${space[1]} 0`,
    textAlign: "right",
  }),
} as const;
/** The last column ends at the table's edge. */
const lastCell = { selectors: { "&:last-child": { paddingRight: 0 } } };
export const headCell = style(
  inUi({ ...lastCell, padding: `0 ${space[4]} ${space[2]} 0`, fontWeight: fontWeight.medium }),
);
export const row = style(
  inUi({
    borderTop: `1px solid ${color.line}`,
    ...phone({ display: "block", padding: `${space[3]} 0` }),
  }),
);
export const cell = style(inUi({ ...cellBase, ...lastCell }));
/** On a phone with large text, the number is below the name if it does not fit beside it. */
export const numeric = style(
  inUi({
    textAlign: "right",
    whiteSpace: "nowrap",
    ...phone({ flexWrap: "wrap", whiteSpace: "normal", overflowWrap: "anywhere" }),
  }),
);
globalStyle(`${numeric} > :last-child`, inUi(phone({ marginLeft: "auto" })));
/** Text after a number needs more space, because the number is right-aligned and the text left-aligned. */
globalStyle(
  `${numeric} + :not(${numeric})`,
  inUi({ "@media": { [`not all and ${media.phone}`]: { paddingLeft: space[6] } } }),
);
/** The column name, shown in every cell on a phone. */
export const cellName = style(
  inUi({ display: "none", color: color.muted, fontSize: fontSize.small, ...phone({ display: "inline" }) }),
);

/**
 * If there is no room for the columns, each row is short, and the link in its header covers all of it. The header and
 * the cell beside it are small. The other cells are below them, the last on the right if there is room.
 */
const narrow = `not all and ${media.wide}`;
export const compact = style(inUi({ "@media": { [narrow]: { display: "block" } } }));
const whenNarrow = (part: string, rule: object) =>
  globalStyle(`${compact} ${part}`, inUi({ "@media": { [narrow]: rule } }));
whenNarrow(`.${body}`, { display: "block" });
whenNarrow(`.${head}`, hidden);
whenNarrow(`.${row}`, {
  position: "relative",
  display: "flex",
  flexWrap: "wrap",
  alignItems: "center",
  gap: `2px ${space[2]}`,
  padding: `${space[3]} 0`,
});
whenNarrow(`.${cell}`, { display: "block", padding: 0, textAlign: "left", fontWeight: fontWeight.strong });
whenNarrow(`.${cellName}`, { display: "none" });
whenNarrow(`th.${cell}`, { fontSize: fontSize.small });
// As wide as the rest of the line, whatever its text is, because the text changes with the time zone.
whenNarrow(`th + .${cell}`, {
  flex: "1 1 calc(100% - 140px)",
  fontSize: fontSize.small,
  fontWeight: fontWeight.regular,
  color: color.muted,
});
whenNarrow(`.${cell}:nth-last-child(2)`, { flexGrow: 1 });
whenNarrow("th a::after", { content: '""', position: "absolute", inset: 0 });
