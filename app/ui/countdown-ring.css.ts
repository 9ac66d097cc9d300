import { style } from "@vanilla-extract/css";
import { inUi } from "~/styles/layered";
import { media } from "~/styles/tokens";

export const ring = style(inUi({ flex: "none", width: 20, height: 20, transform: "rotate(-90deg)" }));
/** Animates smoothly between updates, one per second. */
export const remaining = style(
  inUi({ transition: "stroke-dashoffset 1s linear", "@media": { [media.still]: { transition: "none" } } }),
);
