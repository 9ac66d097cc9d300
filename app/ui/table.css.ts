import { globalStyle, style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, fontWeight, media, space } from "~/styles/tokens";

const phone = (rule: object) => ({ "@media": { [media.phone]: rule } });

export const table = style(inUi({ textAlign: "left", ...phone({ display: "block" }) }));
export const body = style(inUi(phone({ display: "block" })));
export const head = style(
  inUi({
    fontSize: fontSize.small,
    color: color.muted,
    ...phone({ position: "absolute", width: 1, height: 1, overflow: "hidden", clipPath: "inset(50%)" }),
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
export const numeric = style(inUi({ textAlign: "right", whiteSpace: "nowrap" }));
/** Text after a number needs more distance: both are at the same edge. */
globalStyle(
  `${numeric} + :not(${numeric})`,
  inUi({ "@media": { [`not all and ${media.phone}`]: { paddingLeft: space[6] } } }),
);
/** The column name, shown in every cell on a phone. */
export const cellName = style(
  inUi({ display: "none", color: color.muted, fontSize: fontSize.small, ...phone({ display: "inline" }) }),
);
