import type { StyleRule } from "@vanilla-extract/css";
import { media } from "./tokens";

type Rule = Omit<StyleRule, "selectors" | "@media" | "@layer">;

/** A style for hovering with a mouse. On a touch screen, `:hover` would last after a tap and look like a state. */
export const hovered = (rule: Rule, selector = "&:hover") => ({ [media.hover]: { selectors: { [selector]: rule } } });
