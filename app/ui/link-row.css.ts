import { globalStyle, style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontSize, space } from "~/styles/tokens";

export const linkRow = style(
  inUi({ display: "flex", alignItems: "baseline", gap: space[2], minWidth: 0, fontSize: fontSize.small }),
);
/** A row may be in front of the lowest part of the sky, where the accent colour of other links is too faint. */
globalStyle(`${linkRow} a`, inUi({ color: color.accentStrong }));
