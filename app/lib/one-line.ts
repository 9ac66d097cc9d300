/**
 * Removes invisible characters, such as the zero-width spaces and marks of direction that come with copied text. The two
 * zero-width joiners stay, because Persian, Hindi and emoji need them.
 */
export function withoutInvisible(text: string): string {
  return text.replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu, "");
}

/**
 * Whether a reader can see the text. Some characters are needed inside words but are blank alone: joiners, fillers such
 * as U+3164, and the empty Braille pattern.
 */
export function isVisible(text: string): boolean {
  return /\S/.test(text.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ""));
}

/**
 * Free text (a label, a name, a provider's reason) as one visible line, so that no text can be disguised
 * as another: control characters and line breaks become spaces, and invisible characters such as
 * direction overrides (U+202E) are removed. If nothing visible is left, the line is empty.
 */
export function toOneLine(text: string): string {
  const line = withoutInvisible(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " "))
    .replace(/\s+/gu, " ")
    .trim();
  return isVisible(line) ? line : "";
}

/**
 * Text for a terminal, which would interpret control characters: they could forge or erase lines, or set the clipboard.
 * Each becomes a space, and invisible characters are removed; line breaks stay.
 */
export function toPrintable(text: string): string {
  return withoutInvisible(text.replace(/(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu, " "));
}

/** Free text of several lines, each as `toOneLine` makes it, with at most one empty line between two. */
export function toLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(toOneLine)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
