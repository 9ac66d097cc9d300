import { styleVariants } from "@vanilla-extract/css";
import { inUi } from "./layered";
import { color } from "./theme.css";
import { fontFamily, fontSize, fontWeight, lineHeight } from "./tokens";

const display = { fontFamily: fontFamily.display, fontWeight: 400, textWrap: "balance" } as const;

/** Text styles. Amounts never use the display font, because it has old-style figures. */
export const text = styleVariants({
  hero: inUi({ ...display, fontSize: fontSize.hero, lineHeight: lineHeight.display, letterSpacing: "-.022em" }),
  title: inUi({ ...display, fontSize: fontSize.title, lineHeight: 1.12, letterSpacing: "-.015em" }),
  heading: inUi({ ...display, fontSize: fontSize.heading, lineHeight: lineHeight.heading, letterSpacing: "-.01em" }),
  lede: inUi({ fontSize: fontSize.lede, color: color.muted, maxWidth: "38ch" }),
  small: inUi({ fontSize: fontSize.small }),
  muted: inUi({ color: color.muted }),
  strong: inUi({ fontWeight: fontWeight.strong }),
  /** For a word with a hyphen. */
  unbroken: inUi({ whiteSpace: "nowrap" }),
  /**
   * For an e-mail address, in which a hyphen at the end of a line would look like hyphenation. Includes the full stop
   * after it, which could otherwise be at the beginning of the next line.
   */
  whole: inUi({ display: "inline-block", maxWidth: "100%", overflowWrap: "anywhere" }),
  amount: inUi({
    fontFamily: fontFamily.text,
    fontWeight: 500,
    fontSize: fontSize.amount,
    lineHeight: 1.1,
    letterSpacing: "-.02em",
  }),
  /** A title that contains an amount: the text font at title size. */
  titleAmount: inUi({
    fontFamily: fontFamily.text,
    fontWeight: 650,
    fontSize: fontSize.title,
    lineHeight: 1.12,
    letterSpacing: "-.022em",
    overflowWrap: "anywhere",
  }),
  code: inUi({ fontFamily: fontFamily.code, fontSize: fontSize.small, overflowWrap: "anywhere" }),
});
