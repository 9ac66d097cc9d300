/** Text that someone wrote, with a full stop added at its end if there is none. */
export function toSentence(text: string): string {
  return text.trim().replace(/[^.!?]$/, "$&.");
}
