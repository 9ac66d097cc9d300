import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/** The browser's own passkeys. Loaded only when a ceremony starts. */
export const browserPasskeys = {
  register: (optionsJSON: PublicKeyCredentialCreationOptionsJSON) => startRegistration({ optionsJSON }).catch(addHint),
  authenticate: (optionsJSON: PublicKeyCredentialRequestOptionsJSON) =>
    startAuthentication({ optionsJSON }).catch(addHint),
};

/** Conditional UI: resolves when the visitor picks a passkey from the field's suggestions. */
export function authenticateByAutofill(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  return startAuthentication({ optionsJSON, useBrowserAutofill: true });
}

/** Throws the error of a ceremony again, with a `hint` if we know more than that it failed. */
function addHint(error: unknown): never {
  const hint = toHint(error);
  throw error instanceof Error && hint ? Object.assign(error, { hint }) : error;
}

function toHint(error: unknown): string | null {
  // As inside many apps.
  if (!window.PublicKeyCredential)
    return "This browser can't use passkeys. Open this page in Safari, Chrome or Firefox, or use a code sent by e-mail.";
  if (error instanceof Error && error.name === "InvalidStateError")
    return "This device already has a passkey for this account. You can sign in with it.";
  return null;
}
