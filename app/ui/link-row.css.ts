import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { fontSize, space } from "~/styles/tokens";

export const linkRow = style(
  inUi({ display: "flex", alignItems: "baseline", gap: space[2], minWidth: 0, fontSize: fontSize.small }),
);
