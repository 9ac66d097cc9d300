/** Text that someone wrote, with the full stop that may be missing at its end. */
export function toSentence(text: string): string {
  return text.trim().replace(/[^.!?]$/, "$&.");
}
