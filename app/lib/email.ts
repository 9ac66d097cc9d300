export const invalidEmailMessage = "Enter your e-mail address, such as ada@example.org.";

/**
 * Whether the text could be an e-mail address. Takes linear time, after a length check. Only a delivered e-mail proves
 * that the address exists.
 */
export function isEmailLike(text: string): boolean {
  return text.length <= 254 && /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text);
}
