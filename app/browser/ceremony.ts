import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";
import type { CeremonyKind } from "./credentials";

/**
 * Asks the visitor to create or use a passkey. Loads SimpleWebAuthn on demand, to keep it out of the first page load.
 * @param signal closes the dialog when it aborts
 * @param isTest whether to use the sandbox's test passkey; by default, if one was used last and the account has it
 */
export async function runCeremony(
  kind: CeremonyKind,
  options: Record<string, unknown>,
  signal: AbortSignal,
  isTest?: boolean,
): Promise<AuthenticationResponseJSON | RegistrationResponseJSON> {
  return (await import("./browser-passkeys")).runCeremony(kind, options, signal, isTest);
}

/** Conditional UI: resolves when the visitor picks a passkey from the field's suggestions, until `signal` aborts. */
export async function authenticateByAutofill(
  options: PublicKeyCredentialRequestOptionsJSON,
  signal: AbortSignal,
): Promise<AuthenticationResponseJSON> {
  return (await import("./browser-passkeys")).authenticateByAutofill(options, signal);
}

/** Whether the browser can suggest passkeys in a field (conditional UI). */
export async function canAutofillPasskeys(): Promise<boolean> {
  try {
    return (await window.PublicKeyCredential?.isConditionalMediationAvailable?.()) === true;
  } catch {
    return false;
  }
}
