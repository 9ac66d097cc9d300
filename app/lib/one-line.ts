/**
 * A free text that somebody will read (a label, a name, a provider's reason), as one visible
 * line: line breaks and other control characters become a space; marks that reverse what
 * stands beside them (U+202E), spaces without width and whatever else is not seen are left
 * out, so that no text can pass for another. The two joiners stay: Persian, Hindi and emoji
 * are written with them.
 */
export function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/(?![\u200c\u200d])[\p{Cf}\p{Cs}]/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}
