/** Joins texts with spaces. One that lacks its full stop gets one if another follows. */
export function joinSentences(...texts: readonly string[]): string {
  return texts.reduce((all, next) => `${/[.!?]$/.test(all) ? all : `${all}.`} ${next}`);
}
