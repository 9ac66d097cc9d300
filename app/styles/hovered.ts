import type { StyleRule } from "@vanilla-extract/css";
import { media } from "./tokens";

type Rule = Omit<StyleRule, "selectors" | "@media" | "@layer">;

/**
 * A style for hovering with a mouse. On a touch screen, `:hover` would last after a tap and look like a state.
 * @param within limits it to other media, for example to narrow windows
 */
export const hovered = (rule: Rule, selector = "&:hover", within?: string) => ({
  [within === undefined ? media.hover : `${within} and ${media.hover}`]: { selectors: { [selector]: rule } },
});
