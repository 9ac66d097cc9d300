import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { fontFamily, fontSize, space, target } from "~/styles/tokens";

export const wordmark = style(
  inComponents({
    display: "inline-flex",
    alignItems: "center",
    gap: space[2],
    minHeight: target,
    color: color.ink,
    font: `400 ${fontSize.heading}/1 ${fontFamily.display}`,
    letterSpacing: "-.01em",
    textDecoration: "none",
  }),
);
