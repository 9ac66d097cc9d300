/**
 * Free text (a label, a name, a provider's reason) as one visible line, so that no text can be disguised
 * as another: control characters and line breaks become spaces, and invisible characters such as
 * zero-width spaces and direction overrides (U+202E) are removed. The two zero-width joiners stay,
 * because Persian, Hindi and emoji need them.
 */
export function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}
