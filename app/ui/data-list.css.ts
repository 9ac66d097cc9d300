import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontWeight, space } from "~/styles/tokens";

export const list = style(inUi({ display: "grid", gap: space[2], fontSize: "0.9375rem" }));
export const row = style(
  inUi({ display: "flex", flexWrap: "wrap", justifyContent: "space-between", gap: `0 ${space[4]}` }),
);
export const term = style(inUi({ color: color.muted }));
export const value = style(
  inUi({
    marginLeft: "auto",
    fontWeight: fontWeight.medium,
    textAlign: "right",
    minWidth: 0,
    overflowWrap: "anywhere",
  }),
);
