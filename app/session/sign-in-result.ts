/** What a step of signing in hands back to its screen. Nothing of it is secret. */
export type SignInResult = {
  /** WebAuthn options as JSON, to be answered by the browser. */
  options?: Record<string, unknown>;
  /** A text of the error catalogue. */
  error?: string;
  /** What to do about it, or the server's own words. */
  hint?: string;
  /** The exchange's own code of its refusal, where a screen leads on by it: `passkey_too_old`. */
  refusal?: string;
  fields?: Record<string, string>;
  /** What was typed, so that it is not typed twice. */
  identifier?: string;
  code?: string;
  /** E11, E15 */
  clearStoredPasskey?: boolean;
};
