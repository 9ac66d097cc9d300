/** The result of a sign-in step, for its screen. It never contains secrets. */
export type SignInResult = {
  /** WebAuthn options as JSON, for the browser to answer. */
  options?: Record<string, unknown>;
  /** A text from the error catalogue. */
  error?: string;
  /** What to do about the error, or the server's message. */
  hint?: string;
  /** The exchange's error code, such as `code_wrong`, if the screen handles it. */
  refusal?: string;
  /** Field name → what is wrong with it. */
  fields?: Record<string, string>;
  /** What was typed, to fill in the form again. */
  identifier?: string;
  code?: string;
  /** E11, E15: the browser must clear the stored passkey. */
  clearStoredPasskey?: boolean;
};
