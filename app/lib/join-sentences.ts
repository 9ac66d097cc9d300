/** Joins texts that are not empty with spaces. Ends each with a full stop if another follows. */
export function joinSentences(...texts: readonly string[]): string {
  const used = texts.filter(Boolean);
  const isLast = (i: number) => i === used.length - 1;
  return used.map((text, i) => (isLast(i) || /[.!?]$/.test(text) ? text : `${text}.`)).join(" ");
}
