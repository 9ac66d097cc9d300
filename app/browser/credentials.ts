import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";

/** Answers WebAuthn challenges: the browser, or the sandbox's test passkey. */
export type Credentials = {
  /** Rejects if the visitor declines or no authenticator responds. The error may have a `hint` for the visitor. */
  register(options: PublicKeyCredentialCreationOptionsJSON): Promise<RegistrationResponseJSON>;
  authenticate(options: PublicKeyCredentialRequestOptionsJSON): Promise<AuthenticationResponseJSON>;
};

/** Loads the code that answers a challenge, when there is one. */
export type CredentialsSource = () => Promise<Credentials>;

let chosen: CredentialsSource | null = null;

/** The source chosen with `chooseCredentials`, by default the browser's own passkeys. */
export function getCredentials(): Promise<Credentials> {
  return chosen ? chosen() : getBrowserCredentials();
}

/** Selects the sandbox's test passkey for the next ceremony. Null selects the browser's passkeys. */
export function chooseCredentials(source: CredentialsSource | null): void {
  chosen = source;
}

/** Loads SimpleWebAuthn on demand, to keep it out of the first page load. */
async function getBrowserCredentials(): Promise<Credentials> {
  return (await import("./browser-passkeys")).browserPasskeys;
}

/** Conditional UI: resolves when the visitor picks a passkey from the field's suggestions. */
export async function authenticateByAutofill(
  options: PublicKeyCredentialRequestOptionsJSON,
): Promise<AuthenticationResponseJSON> {
  return (await import("./browser-passkeys")).authenticateByAutofill(options);
}

/** Whether the browser can suggest passkeys in a field (conditional UI). */
export async function canAutofillPasskeys(): Promise<boolean> {
  try {
    return (await window.PublicKeyCredential?.isConditionalMediationAvailable?.()) === true;
  } catch {
    return false;
  }
}

let isCeremonyStarted = false;

/** A button has started a ceremony, so autofill must not start another. */
export function markCeremonyStarted(): void {
  isCeremonyStarted = true;
}

/** Called when a page with autofill opens. */
export function resetCeremony(): void {
  isCeremonyStarted = false;
}

export function hasCeremonyStarted(): boolean {
  return isCeremonyStarted;
}
