import type { CeremonyKind } from "~/browser/credentials";
import * as errorTexts from "~/lib/error-catalogue";
import type { SignInRefused } from "~/sign-in/sign-in-result";

type Failures = {
  /** If there was no response to the form that requests the options. */
  options: SignInRefused;
  /**
   * If the visitor declined, if no authenticator responded, or for the reason in the error's `hint` (see
   * browser/browser-passkeys.ts).
   */
  dialog(error: unknown): SignInRefused;
  /** If there was no response to the form with the credential. */
  verify: SignInRefused;
};

/** E12–E15: what is shown if a ceremony ends without a response from the server. */
export const ceremonyFailures: Record<CeremonyKind, Failures> = {
  passkey: {
    options: { kind: "refused", error: errorTexts.passkeyFailed },
    dialog: (error) => ({
      kind: "refused",
      error: errorTexts.passkeyFailed,
      hint: readHint(error) ?? "Your passkey wasn't confirmed. Try again, or use a code sent by e-mail.",
    }),
    verify: { kind: "refused", error: errorTexts.passkeyCompletionFailed },
  },
  registration: {
    options: { kind: "refused", error: errorTexts.registrationStartFailed, clearStoredPasskey: true },
    dialog: (error) => ({
      kind: "refused",
      error: errorTexts.registrationFailed,
      hint: readHint(error) ?? "No passkey was created. Try again when you're ready.",
      clearStoredPasskey: true,
    }),
    verify: { kind: "refused", error: errorTexts.registrationFailed, clearStoredPasskey: true },
  },
};

function readHint(error: unknown): string | undefined {
  const { hint }: { hint?: string } = Object(error);
  return hint;
}
