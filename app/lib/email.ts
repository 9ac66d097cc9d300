/** Whether a text can be an e-mail address at all; the mail that arrives is the proof. Linear, after a length cap. */
export function isEmailLike(text: string): boolean {
  return text.length <= 254 && /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}
