import type { Refused } from "~/lib/form-result";

/** Why a sign-in step was refused. */
export type SignInRefused = Refused & {
  /** E11, E15: the browser must clear the stored passkey. */
  clearStoredPasskey?: true;
};

/** The first step of a ceremony: WebAuthn options as JSON, for the browser's dialog. */
export type CeremonyOptions = { kind: "options"; options: Record<string, unknown> };

/** The result of a sign-in form for its screen. A step that completes a sign-in or registration redirects instead. */
export type SignInResult = CeremonyOptions | SignInRefused;
