import { style } from "@vanilla-extract/css";
import { hovered } from "~/styles/hovered";
import { inRoutes } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { space } from "~/styles/tokens";

export const limits = style(inRoutes({ display: "inline-flex", gap: space[3] }));
/** A button that looks like text, with a large enough target. */
export const limit = style(
  inRoutes({
    minHeight: "24px",
    minWidth: "24px",
    padding: 0,
    border: 0,
    background: "none",
    color: "inherit",
    textDecoration: "underline",
    textDecorationColor: color.outline,
    textUnderlineOffset: "3px",
    ":disabled": { textDecoration: "none" },
    "@media": hovered({ color: color.accent }, "&:enabled:hover"),
  }),
);
