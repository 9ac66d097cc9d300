/** Joins texts with spaces, except for empty ones. One that lacks its full stop gets one if another follows. */
export function joinSentences(...texts: readonly string[]): string {
  const used = texts.filter(Boolean);
  const isLast = (i: number) => i === used.length - 1;
  return used.map((text, i) => (isLast(i) || /[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
}
