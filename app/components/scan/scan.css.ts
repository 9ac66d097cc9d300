import { style } from "@vanilla-extract/css";
import { inComponents } from "~/styles/layered";
import { color } from "~/styles/theme.css";
import { radius, space } from "~/styles/tokens";

export const dialog = style(
  inComponents({
    width: `min(440px, calc(100vw - 2 * ${space[4]}))`,
    maxHeight: `calc(100dvh - 2 * ${space[4]})`,
    margin: "auto",
    padding: space[5],
    border: `1px solid ${color.line}`,
    borderRadius: radius.card,
    background: color.raised,
    color: color.ink,
    selectors: { "&::backdrop": { background: "rgb(0 0 0 / 60%)" } },
  }),
);
export const picture = style(
  inComponents({
    display: "block",
    width: "100%",
    aspectRatio: "1",
    objectFit: "cover",
    background: color.sunken,
    borderRadius: radius.field,
  }),
);
