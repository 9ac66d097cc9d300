export const invalidEmailMessage = "Enter your e-mail address, such as ada@example.org.";

/** Whether the text could be an e-mail address. Linear time, after a length cap. Only a delivered e-mail proves it. */
export function isEmailLike(text: string): boolean {
  return text.length <= 254 && /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}
