import { style } from "@vanilla-extract/css";
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
export const headCell = style(inUi({ padding: `0 ${space[4]} ${space[2]} 0`, fontWeight: fontWeight.medium }));
export const row = style(
  inUi({
    borderTop: `1px solid ${color.line}`,
    ...phone({ display: "block", padding: `${space[3]} 0` }),
  }),
);
export const cell = style(inUi(cellBase));
export const numeric = style(inUi({ textAlign: "right", whiteSpace: "nowrap" }));
/** The column name, shown in every cell on a phone. */
export const cellName = style(
  inUi({ display: "none", color: color.muted, fontSize: fontSize.small, ...phone({ display: "inline" }) }),
);
