/** Joins texts with spaces, except for empty ones. One that lacks its full stop gets one if another follows. */
export function joinSentences(...texts: readonly string[]): string {
  const isEnded = (text: string) => /[.!?]$/.test(text);
  return texts.filter(Boolean).reduce((all, next) => `${all}${isEnded(all) ? "" : "."} ${next}`);
}
